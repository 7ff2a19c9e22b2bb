import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  invocationsUrl,
  parseRuntimeArn,
  stopSessionUrl,
  webSocketUrl,
} from '../../../src/client/runtime-endpoint.ts';
import { checkSessionId, makeSessionId } from '../../../src/client/session-id.ts';

const arn = 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/agent_1-AbCdEf';
const escaped = 'arn%3Aaws%3Abedrock-agentcore%3Aeu-central-1%3A123456789012%3Aruntime%2Fagent_1-AbCdEf';
const origin = 'https://bedrock-agentcore.eu-central-1.amazonaws.com';

describe('the addresses of a runtime', () => {
  it('take region and escaped name from its ARN, and name the endpoint', () => {
    const target = { kind: 'runtime', arn, qualifier: 'PROD 1' } as const;

    expect(invocationsUrl(target).href).toBe(`${origin}/runtimes/${escaped}/invocations?qualifier=PROD+1`);
    expect(webSocketUrl(target).href).toBe(
      `wss://bedrock-agentcore.eu-central-1.amazonaws.com/runtimes/${escaped}/ws?qualifier=PROD+1`,
    );
    expect(stopSessionUrl(target)?.pathname).toBe(`/runtimes/${escaped}/stopruntimesession`);
  });

  it('stand in the partition of the ARN, or at the endpoint given', () => {
    const china = arn.replace('arn:aws:', 'arn:aws-cn:').replace('eu-central-1', 'cn-north-1');

    expect(invocationsUrl({ kind: 'runtime', arn: china }).host).toBe(
      'bedrock-agentcore.cn-north-1.amazonaws.com.cn',
    );
    const local = { kind: 'runtime', arn, endpoint: 'http://127.0.0.1:9000/' } as const;
    expect(webSocketUrl(local).href).toBe(`ws://127.0.0.1:9000/runtimes/${escaped}/ws`);
  });

  it.each([
    '',
    'agent_1',
    arn.replace('runtime/', 'memory/'),
    `${arn}/runtime-endpoint/x`,
    arn.replace('eu-', ''),
  ])('can not be made of %j', (wrong) => {
    expect(() => parseRuntimeArn(wrong)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

describe('the addresses of a container', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/invocations', 'ws://127.0.0.1:8080/ws'],
    ['https://host/a/invocations?x=1', 'https://host/a/invocations?x=1', 'wss://host/a/ws?x=1'],
    ['ws://host/', 'http://host/invocations', 'ws://host/ws'],
    ['https://host/agent', 'https://host/agent', 'wss://host/agent/ws'],
  ])('%s are %s and %s', (url, invocations, ws) => {
    expect(invocationsUrl({ kind: 'url', url }).href).toBe(invocations);
    expect(webSocketUrl({ kind: 'url', url }).href).toBe(ws);
    expect(stopSessionUrl({ kind: 'url', url })).toBeUndefined();
  });

  it.each(['', 'host:8080', 'ftp://host', 'https://user:secret@host'])('can not be made of %j', (url) => {
    expect(() => invocationsUrl({ kind: 'url', url })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });
});

describe('a session id', () => {
  it('is the same for the same owner and thread, and never changes between versions', async () => {
    expect(await makeSessionId({ tenant: 't', user: 'u', thread: 'a' })).toBe(
      '97bfa929d9ae9c5e32aef45d9278f8b481a05b44c179fb411823af2f38d1461d',
    );
  });

  it('is taken by the platform and by no other owner', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    const owner = fc.record({ tenant: text, user: text, thread: text });
    await fc.assert(
      fc.asyncProperty(owner, owner, async (one, other) => {
        const id = await makeSessionId(one);
        expect(checkSessionId(id)).toBe(id);
        expect(id.length).toBeLessThanOrEqual(100);
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect((await makeSessionId(other)) === id).toBe(isSame);
      }),
    );
  });

  it('does not mix up what stands beside each other', async () => {
    const ids = await Promise.all([
      makeSessionId({ user: 'a', thread: 'b' }),
      makeSessionId({ user: 'ab', thread: '0' }),
      makeSessionId({ user: 'a', thread: 'b0' }),
      makeSessionId({ tenant: 'a', user: 'b', thread: '0' }),
      makeSessionId({ user: 'a"', thread: 'b' }),
      makeSessionId({ user: 'a', thread: 'b', prefix: 'p-' }),
      makeSessionId({ user: '\ud800', thread: 'b' }),
      makeSessionId({ user: '\ud801', thread: 'b' }),
    ]);

    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps to 100 characters with the longest prefix, and takes no other', async () => {
    const owner = { user: 'u', thread: 't' };

    expect(await makeSessionId({ ...owner, prefix: 'p'.repeat(36) })).toHaveLength(100);
    for (const prefix of ['p'.repeat(37), '-p', 'a b']) {
      await expect(makeSessionId({ ...owner, prefix })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });
});
