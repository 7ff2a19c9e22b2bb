import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerDigest, requestFingerprint } from '../../../../src/domain/thread/fingerprint.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/protocol/json.ts';

/** The same digest by the simplest means: one text, by recursion. */
function plainDigest(value: JsonValue): string {
  return createHash('sha256').update(canonical(value), 'utf8').digest('hex');
}

function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

function shuffled(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(shuffled);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, shuffled(member ?? null)]),
  );
}

const bodies = fc
  .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
  .map((body) => JSON.parse(JSON.stringify(body)) as JsonObject)
  .filter((body) => !Object.hasOwn(body, 'forwardedProps'));

const withProps = (forwardedProps: JsonValue): JsonObject => ({
  threadId: 't',
  runId: 'r',
  messages: [{ id: 'm', role: 'user', content: 'my password is in the text' }],
  forwardedProps,
});

describe('requestFingerprint', () => {
  it('is the SHA-256 of the sorted JSON', () => {
    expect(requestFingerprint({ b: [1, { d: null, c: 'é' }], a: true })).toBe(
      createHash('sha256').update('{"a":true,"b":[1,{"c":"é","d":null}]}').digest('hex'),
    );
  });

  it('agrees with the plain way on any request without secrets', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        expect(requestFingerprint(body)).toBe(plainDigest(body));
      }),
    );
  });

  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        expect(requestFingerprint(shuffled(body) as JsonObject)).toBe(requestFingerprint(body));
      }),
    );
  });

  it('agrees with the plain way on strings longer than a slice, also across surrogate pairs', () => {
    for (const text of [
      'x'.repeat(200_000),
      '😀'.repeat(70_000),
      `x${'😀'.repeat(70_000)}`,
      '"\\\n'.repeat(50_000),
    ]) {
      expect(requestFingerprint({ text }) === plainDigest({ text })).toBe(true);
    }
  });

  it('tells different requests apart', () => {
    const texts = [
      { a: 1 },
      { a: '1' },
      { a: [1] },
      { a: null },
      { a: {} },
      { a: [] },
      { b: 1 },
      { a: 1, b: 1 },
      {},
    ].map((body) => requestFingerprint(body));

    expect(new Set(texts).size).toBe(texts.length);
  });

  it('takes an absent member and an undefined one for the same', () => {
    expect(requestFingerprint({ a: 1, b: undefined })).toBe(requestFingerprint({ a: 1 }));
  });

  it.each([
    ['the model key', { iacCode: { cwd: '/w', llmApiKey: 'S' } }, { iacCode: { cwd: '/w' } }],
    [
      'the cloud keys',
      {
        iacCode: {
          alibabaCloud: { regionId: 'r', accessKeyId: 'S', accessKeySecret: 'S', securityToken: 'S' },
        },
      },
      { iacCode: { alibabaCloud: { regionId: 'r' } } },
    ],
    ['a token of another extension', { other: { access_token: 'S' } }, { other: {} }],
    ['secrets in a list', { list: [{ 'API-Key': 'S', id: 1 }] }, { list: [{ id: 1 }] }],
    ['a header', { headers: { Authorization: 'S', accept: 'x' } }, { headers: { accept: 'x' } }],
    ['a whole object of secrets', { credentials: { user: 'S', pass: 'S' } }, {}],
    ['a password beside the rest', { dbPassword: 'S' }, {}],
  ])('leaves out %s', (_what, secretive, plain) => {
    const other = JSON.parse(JSON.stringify(secretive).replaceAll('"S"', '"another"')) as JsonValue;

    expect(requestFingerprint(withProps(secretive))).toBe(requestFingerprint(withProps(plain)));
    expect(requestFingerprint(withProps(other))).toBe(requestFingerprint(withProps(plain)));
  });

  it('counts what is no secret, there and elsewhere', () => {
    const base = requestFingerprint(withProps({ iacCode: { model: 'a' } }));

    expect(requestFingerprint(withProps({ iacCode: { model: 'b' } }))).not.toBe(base);
    expect(requestFingerprint({ ...withProps({ iacCode: { model: 'a' } }), token: 'x' })).not.toBe(base);
  });

  it('leaves out secrets only in forwardedProps of the request itself', () => {
    const nested = (token: string): JsonObject => ({ state: { forwardedProps: { token } } });

    expect(requestFingerprint(nested('one'))).not.toBe(requestFingerprint(nested('two')));
  });

  it('takes nesting that would exhaust a recursive reader', () => {
    let deep: JsonValue = 'bottom';
    for (let depth = 0; depth < 200_000; depth += 1) deep = depth % 2 === 0 ? [deep] : { a: deep };

    expect(requestFingerprint({ deep })).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('answerDigest', () => {
  it('covers status and payload, whatever the order of members', () => {
    const digest = answerDigest({ status: 'resolved', payload: { a: 1, b: [2] } });

    expect(digest).toBe(plainDigest({ status: 'resolved', payload: { b: [2], a: 1 } }));
    expect(answerDigest({ status: 'resolved', payload: { a: 1, b: [3] } })).not.toBe(digest);
    expect(answerDigest({ status: 'cancelled', payload: { a: 1, b: [2] } })).not.toBe(digest);
  });

  it('takes no payload for null', () => {
    expect(answerDigest({ status: 'cancelled' })).toBe(answerDigest({ status: 'cancelled', payload: null }));
  });
});
