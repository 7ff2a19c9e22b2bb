import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileKey, threadPath } from '../../../../src/outbound/files/thread-key.ts';
import { threadId } from '../../../../src/protocol/ids.ts';
import { aSession } from '../../domain/thread/arbitrary-thread.ts';

const hex = (id: string): string => `aguiid~${Buffer.from(id, 'utf8').toString('hex')}`;
const hash = (id: string): string => `aguihash~${createHash('sha256').update(id).digest('hex')}`;

const rows: readonly (readonly [id: string, key: string, why: string])[] = [
  ['thread-1', 'thread-1', 'a plain id is its own name'],
  ['a_b.c-9', 'a_b.c-9', 'all safe characters'],
  ['.hidden', '.hidden', 'a leading dot is safe before an ending'],
  ['T-1', hex('T-1'), 'upper case would collide on disks that ignore case'],
  ['.', hex('.'), 'the folder itself'],
  ['..', hex('..'), 'the folder above'],
  ['a.', hex('a.'), 'Windows drops a dot at the end'],
  ['con', hex('con'), 'a device'],
  ['nul.txt', hex('nul.txt'), 'a device with an ending'],
  ['com1', hex('com1'), 'a device with a number'],
  ['com0', 'com0', 'no device'],
  ['console', 'console', 'begins like a device only'],
  ['a/b', hex('a/b'), 'a separator'],
  ['../../etc/passwd', hex('../../etc/passwd'), 'a way out'],
  ['a~b', hex('a~b'), 'the mark of other names'],
  ['线程', hex('线程'), 'other scripts'],
  ['a\u0000', hex('a\u0000'), 'a zero byte'],
  ['a'.repeat(200), 'a'.repeat(200), 'the longest readable name'],
  ['a'.repeat(201), hash('a'.repeat(201)), 'a readable name that disks may refuse'],
  ['A'.repeat(96), hex('A'.repeat(96)), 'the longest in hex'],
  ['A'.repeat(97), hash('A'.repeat(97)), 'too long for hex'],
  ['é'.repeat(48), hex('é'.repeat(48)), 'length counts in bytes'],
  ['é'.repeat(49), hash('é'.repeat(49)), 'length counts in bytes'],
];

describe('fileKey', () => {
  it.each(rows)('names %j %s: %s', (id, key) => {
    expect(fileKey(id)).toBe(key);
  });

  const ids = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('a', 'A', '.', '~', 'é'), minLength: 1, maxLength: 5 }),
    fc.constantFrom('con', 'CON', 'aux.', '..', 'aguiid~41', 'aguihash~00'),
  );

  it('gives every id a name that any disk takes', () => {
    fc.assert(
      fc.property(ids, (id) => {
        const key = fileKey(id);

        expect(key).toMatch(/^[a-z0-9_.~-]{1,200}$/);
        expect(key).not.toMatch(/^(?:\.{1,2}|.*\.)$/);
      }),
    );
  });

  it('gives different ids names that differ by more than case', () => {
    fc.assert(
      fc.property(ids, ids, (left, right) => {
        fc.pre(left !== right);

        expect(fileKey(left).toLowerCase()).not.toBe(fileKey(right).toLowerCase());
      }),
    );
  });
});

describe('threadPath', () => {
  it('puts a thread without a session where iac-code keeps it', () => {
    expect(threadPath('/state', { sessionId: undefined, threadId: threadId('t-42') })).toBe(
      '/state/threads/t-42.json',
    );
  });

  it('gives each session a folder of its own', () => {
    const lower = threadPath('/state', { sessionId: aSession('abc'), threadId: threadId('t') });
    const upper = threadPath('/state', { sessionId: aSession('ABC'), threadId: threadId('t') });

    expect(lower).toBe(`/state/sessions/${'abc'.padEnd(40, '0')}/threads/t.json`);
    expect(upper.toLowerCase()).not.toBe(lower.toLowerCase());
  });
});
