import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fault } from '../../../../src/errors/fault.ts';
import { createJsonLog } from '../../../../src/outbound/system/json-log.ts';
import { Redaction } from '../../../../src/outbound/system/redaction.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

const canary = 'CANARY-4f1c9a';
const { redact } = new Redaction(['the process’s own secret']);
const shown = (value: unknown): string => JSON.stringify(redact(value)) ?? '';

describe('what is written down', () => {
  it.each([
    'authorization',
    'Authorization',
    'PROXY-AUTHORIZATION',
    'set-cookie',
    'workloadAccessToken',
    'x-amz-security-token',
    'llmApiKey',
    'iac_code_api_key',
    'alibaba_cloud_access_key_secret',
    'AccessKeyId',
    'client_secret',
    'PASSWORD',
    'privateKey',
    'X-Amz-Signature',
  ])('holds no value of a member named %s, at any depth and of any form', (name) => {
    for (const value of [canary, [canary], { inside: canary }, new Map([['a', canary]])]) {
      expect(shown({ [name]: value })).not.toContain(canary);
      expect(shown({ a: [{ b: { [name]: value } }] })).not.toContain(canary);
      expect(shown(new Headers([[name.replace('’', ''), canary]]))).not.toContain(canary);
    }
  });

  it.each([
    `Authorization: Bearer ${canary}`,
    `basic ${canary}`,
    `https://user:${canary}@host.example/`,
    `wss://host/ws?token=${canary}&framing=sse`,
    `https://host/?X-Amz-Signature=${canary}`,
    `https://host/back?code=${canary}`,
    `{"apiKey": "${canary}"}`,
    `{\\"access_token\\":\\"${canary}\\"}`,
    `client_secret=${canary}`,
    `eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0${canary}.${canary}`,
    `AKIA${'A'.repeat(16)}`,
    `LTAI${'a1'.repeat(10)}`,
    `sk-${'a'.repeat(24)}`,
    'it said: the process’s own secret',
  ])('holds no secret that stands inside the text %j', (text) => {
    const fields = {
      text,
      url: text,
      error: new Error(text, { cause: new AggregateError([new Error(text)], text) }),
    };

    expect(shown(fields)).not.toMatch(new RegExp(`${canary}|AKIAAAA|LTAIa1|aaaaaaaaaaaa|own secret`));
  });

  it('follows causes, and quotes no parser', () => {
    const parse = (): unknown => JSON.parse(`{"a": ${canary}`);
    let thrown: unknown;
    try {
      parse();
    } catch (error) {
      thrown = error;
    }

    const text = shown({ cause: fault('internal', {}, new Error('outer', { cause: thrown })) });

    expect(text).toContain('outer');
    expect(text).toContain('SyntaxError');
    expect(text).not.toContain(canary);
  });

  it('keeps what is no secret: counts, names and plain texts', () => {
    const fields = {
      inputTokens: 12,
      fault: 'thread-busy',
      text: 'the key of the matter',
      ok: true,
      none: null,
    };

    expect(redact(fields)).toEqual(fields);
  });

  it('is bounded, whole and quick for anything', () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle['self'] = circle;
    const hostile = {
      get boom(): never {
        throw new TypeError('no');
      },
    };

    expect(JSON.parse(shown({ circle, hostile, bytes: new Uint8Array(3), big: 1n }))).toMatchObject({
      hostile: {},
      bytes: '[3 bytes]',
      big: '1',
    });
    const started = cpuMs();
    for (const text of [
      'token'.repeat(50_000),
      'eyJ-'.repeat(50_000),
      '//'.repeat(50_000),
      'a'.repeat(500_000),
    ])
      expect(shown(text).length).toBeLessThan(2_100);
    expect(cpuMs() - started).toBeLessThan(1_000);
    fc.assert(
      fc.property(
        fc.anything({ withDate: true, withMap: true, withSet: true, withTypedArray: true }),
        (value) => {
          expect(() => JSON.stringify(redact(value))).not.toThrow();
        },
      ),
      { numRuns: 300 },
    );
  });

  it('holds a request’s secrets for as long as somebody has them concealed', () => {
    const redaction = new Redaction();
    const [first, second] = [redaction.conceal([canary, 'short']), redaction.conceal([canary])];
    const shows = (): boolean => JSON.stringify(redaction.redact(`it said ${canary}`)).includes(canary);

    first();
    first();
    expect(shows()).toBe(false);
    second();
    expect(shows()).toBe(true);
    expect(redaction.redact('a short text')).toBe('a short text');
  });

  it('goes for the fields of child loggers too', () => {
    const lines: string[] = [];
    const log = createJsonLog(
      'debug',
      { write: (line: string) => void lines.push(line) },
      new Redaction([canary]),
    );

    log
      .child({ token: 'a-token', note: canary })
      .child({ Cookie: 'a-cookie' })
      .debug('event', { password: 'a-word' });

    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/a-token|a-cookie|a-word|CANARY/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ event: 'event', token: '[redacted]' });
  });
});
