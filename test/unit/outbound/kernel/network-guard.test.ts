import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  createGuardedLookup,
  isForbiddenAddress,
  parseKernelUrl,
} from '../../../../src/outbound/kernel/network-guard.ts';

describe('the guard over the network', () => {
  it.each([
    '169.254.0.1',
    '169.254.169.254',
    '169.254.255.255',
    'fe80::1',
    'fe80::1%eth0',
    'febf:ffff::1',
    '[fe80::1]',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fd00:ec2::254',
  ])('forbids %s', (address) => {
    expect(isForbiddenAddress(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '169.253.0.1',
    '169.255.0.1',
    'fec0::1',
    '::ffff:10.0.0.1',
    'agent.test',
  ])('allows %s', (address) => {
    expect(isForbiddenAddress(address)).toBe(false);
  });

  it('reads a kernel URL as origin and folder', () => {
    expect(parseKernelUrl('https://agent.test/a2a?x=1#y').href).toBe('https://agent.test/a2a/');
    expect(parseKernelUrl('http://localhost:41242').href).toBe('http://localhost:41242/');
    expect(() => parseKernelUrl('agent.test')).toThrow(TypeError);
    expect(() => parseKernelUrl('http://0xa9fea9fe/')).toThrow('link-local');
  });

  it('answers in the form that is asked for, without the forbidden addresses', async () => {
    const all = [
      { address: 'fe80::1', family: 6 },
      { address: '10.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    const lookup = createGuardedLookup((_host, _options, callback) => callback(null, all));

    expect(await resolve(lookup, false)).toEqual(['10.0.0.1', 4]);
    expect(await resolve(lookup, true)).toEqual([all.slice(1), undefined]);
  });

  it('hands on that a name is unknown', async () => {
    const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    const lookup = createGuardedLookup((_host, _options, callback) => callback(unknown, []));

    await expect(resolve(lookup, true)).rejects.toBe(unknown);
  });
});

function resolve(lookup: LookupFunction, all: boolean): Promise<unknown> {
  return new Promise((done, fail) => {
    lookup('agent.test', { all }, (error, address, family) => {
      if (error === null) done([address, family]);
      else fail(error);
    });
  });
}
