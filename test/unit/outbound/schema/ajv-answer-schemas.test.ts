import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AjvAnswerSchemas,
  type LinearPattern,
  type PatternCompiler,
} from '../../../../src/outbound/schema/ajv-answer-schemas.ts';
import type { Log } from '../../../../src/ports/runtime.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/json.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

/** The longest that one check may hold the event loop. */
const maxStallMs = 250;

class Notes implements Log {
  readonly events: string[] = [];
  readonly #note = (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    this.events.push(`${event} ${JSON.stringify(fields)}`);
  };
  readonly debug = this.#note;
  readonly info = this.#note;
  readonly warn = this.#note;
  readonly error = this.#note;
  child(): Log {
    return this;
  }
}

function withNotes(compilePattern?: PatternCompiler): { schemas: AjvAnswerSchemas; notes: Notes } {
  const notes = new Notes();
  return {
    schemas: new AjvAnswerSchemas(notes, compilePattern === undefined ? {} : { compilePattern }),
    notes,
  };
}

const check = (schema: JsonObject, payload: JsonValue) => withNotes().schemas.check(schema, payload);

/** Fresh checkers, so that nothing is cached; the best of three, so that a busy machine does not decide. */
function fastestMs(schema: JsonObject, payload: JsonValue): number {
  const times = [1, 2, 3].map(() => {
    const { schemas } = withNotes();
    schemas.check({ type: 'object' }, {});
    const start = cpuMs();
    schemas.check(schema, payload);
    return cpuMs() - start;
  });
  return Math.min(...times);
}

const literal: PatternCompiler = (pattern) =>
  /^\w+$/.test(pattern) ? ({ test: (text) => text.includes(pattern) } satisfies LinearPattern) : undefined;

const decision: JsonObject = {
  type: 'object',
  properties: { decision: { type: 'string', enum: ['allow_once', 'deny'] } },
  required: ['decision'],
  additionalProperties: false,
};

describe('checking an answer', () => {
  it('accepts what the schema allows', () => {
    expect(check(decision, { decision: 'deny' })).toEqual({ ok: true });
  });

  it.each<[name: string, schema: JsonObject, payload: JsonValue, where: string, problem: string]>([
    ['a missing member by name', decision, {}, '', 'lacks the member "decision"'],
    [
      'a value outside the list',
      decision,
      { decision: 'maybe' },
      'decision',
      'is not one of the allowed values',
    ],
    [
      'a member too many by name',
      decision,
      { decision: 'deny', why: 1 },
      '',
      'has the member "why", which is not allowed',
    ],
    ['the wrong type', { type: ['string', 'null'] }, 1, '', 'is not of type string or null'],
    [
      'no branch that fits',
      { oneOf: [decision, { type: 'null' }] },
      {},
      '',
      'matches none of the allowed forms',
    ],
    ['two branches that fit', { oneOf: [{}, {}] }, {}, '', 'matches more than one of the allowed forms'],
    [
      'a place deep inside',
      { items: { properties: { 'a/b': { minimum: 3 } } } },
      [{ 'a/b': 1 }],
      '[0].a/b',
      'is too small',
    ],
    ['a format', { format: 'date' }, 'tomorrow', '', 'is no valid date'],
    ['an integer out of range', { format: 'int32' }, 2 ** 40, '', 'is no valid int32'],
    [
      'equal items, however their members are ordered',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      '',
      'has equal items',
    ],
    [
      'an inherited member that nobody sent',
      { required: ['toString'] },
      {},
      '',
      'lacks the member "toString"',
    ],
    ['items before 2020-12', { items: [{ type: 'string' }] }, [1], '[0]', 'is not of type string'],
    [
      'a branch behind a reference',
      { $ref: '#/definitions/a~1b', definitions: { 'a/b': { type: 'null' } } },
      1,
      '',
      'is not of type null',
    ],
  ])('tells %s', (_name, schema, payload, where, problem) => {
    expect(check(schema, payload)).toEqual({ ok: false, where, problem });
  });

  it('gives the same verdict again from its cache', () => {
    const { schemas } = withNotes();

    const verdicts = [1, 2].map(() => schemas.check(decision, { decision: 'x' }).ok);

    expect(verdicts).toEqual([false, false]);
  });

  it.each<JsonObject>([{ toString: null }, { valueOf: 1 }, { constructor: {} }])(
    'compares members of any name: %j',
    (payload) => {
      expect(check({ enum: [{}, payload] }, payload).ok).toBe(true);
      expect(check({ const: payload }, { other: null }).ok).toBe(false);
      expect(check({ uniqueItems: true }, [payload, payload]).ok).toBe(false);
    },
  );

  it('tells a type apart from equal numbers in unique items', () => {
    expect(check({ uniqueItems: true }, [1, '1', true, null, [], {}])).toEqual({ ok: true });
  });
});

describe('a schema that cannot be used', () => {
  const tripling = Object.fromEntries(
    Array.from({ length: 19 }, (_, n) => {
      const next = { $ref: `#/$defs/d${n + 1}` };
      return [`d${n}`, n === 18 ? { type: 'string' } : { allOf: [next, next, next] }];
    }),
  );

  it.each<[name: string, schema: JsonObject, why: string]>([
    ['a reference to elsewhere', { $ref: 'http://192.0.2.1/schema.json' }, 'a reference to elsewhere'],
    ['a reference to an anchor', { $ref: '#name' }, 'a reference to elsewhere'],
    ['a reference to nothing', { $ref: '#/$defs/none' }, 'recursive, nested too deep, or refers to nothing'],
    ['a reference to itself', { $ref: '#' }, 'recursive, nested too deep, or refers to nothing'],
    [
      'a recursive definition',
      { properties: { next: { $ref: '#' } } },
      'recursive, nested too deep, or refers to nothing',
    ],
    ['a dynamic reference', { $dynamicRef: '#node' }, 'dynamic references'],
    ['a type that is none', { type: 'purple' }, 'not a JSON Schema'],
    ['a bound that is a text', { minimum: '1' }, 'not a JSON Schema'],
    ['a list where a schema belongs', { not: [] }, 'not a JSON Schema'],
    ['too many values', { enum: Array.from({ length: 5000 }, (_, n) => n) }, 'too large'],
    ['too many characters', { const: 'x'.repeat(200_000) }, 'too large'],
    ['too many subschemas', { anyOf: Array.from({ length: 400 }, () => ({})) }, 'too many subschemas'],
  ])('asks for nothing and is logged without its words: %s', (_name, schema, why) => {
    const { schemas, notes } = withNotes();

    expect(schemas.check(schema, { any: 'thing' })).toEqual({ ok: true });
    expect(notes.events).toEqual([`answer-schema.unusable {"why":"${why}"}`]);
  });

  it('is one that nests deeper than any form needs', () => {
    let nested: JsonObject = { type: 'string' };
    for (let level = 0; level < 5000; level += 1) nested = { not: nested };

    expect(check(nested, 1)).toEqual({ ok: true });
  });

  it('refuses a payload rather than work for hours on references that triple at every step', () => {
    const schema = { $ref: '#/$defs/d0', $defs: tripling };

    expect(check(schema, 1)).toEqual({ ok: false, where: '', problem: 'is too large to be checked' });
    expect(fastestMs(schema, 1)).toBeLessThan(maxStallMs);
  });

  it('never makes an answer asynchronous', () => {
    expect(check({ $async: true, type: 'string' }, 1).ok).toBe(false);
  });

  it('has no say over other schemas by taking their name', () => {
    const { schemas } = withNotes();
    schemas.check({ $id: 'https://json-schema.org/draft/2020-12/schema', type: 'null' }, null);
    schemas.check({ $id: 'urn:a', type: 'null' }, null);

    expect(schemas.check({ $id: 'urn:a', type: 'string' }, 'x').ok).toBe(true);
    expect(schemas.check({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' }, 1).ok).toBe(
      false,
    );
  });

  it('cannot reach the prototype of anything', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
    );

    expect(check(schema, JSON.parse('{"__proto__":{"polluted":true}}')).ok).toBe(true);
    expect(check(schema, { constructor: 1 }).ok).toBe(false);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('patterns', () => {
  it('are set aside where nothing can match them in linear time, and the rest of the schema still holds', () => {
    const { schemas, notes } = withNotes();
    const schema = { type: 'string', pattern: '^(a+)+$', minLength: 2 };

    expect(schemas.check(schema, 'b!').ok).toBe(true);
    expect(schemas.check(schema, 'b').ok).toBe(false);
    expect(notes.events).toEqual(['answer-schema.patterns-set-aside {"keywords":1}']);
  });

  it('are matched by the engine given in', () => {
    const { schemas } = withNotes(literal);

    expect(schemas.check({ pattern: 'abc' }, 'xabcx')).toEqual({ ok: true });
    expect(schemas.check({ pattern: 'abc' }, 'acb')).toEqual({
      ok: false,
      where: '',
      problem: 'does not match the pattern',
    });
  });

  it('match no text that is longer than an answer to them could be', () => {
    const { schemas } = withNotes(literal);

    expect(schemas.check({ pattern: 'abc' }, 'abc'.padEnd(2048)).ok).toBe(true);
    expect(schemas.check({ pattern: 'abc' }, 'abc'.padEnd(2049)).ok).toBe(false);
  });

  it('of member names take the rule for all other names with them when they are set aside', () => {
    const { schemas } = withNotes(literal);
    const schema = {
      patternProperties: { '^x-(a+)+$': {}, y: { type: 'null' } },
      additionalProperties: false,
    };

    expect(schemas.check(schema, { 'x-a': 1 }).ok).toBe(true);
    expect(schemas.check(schema, { y: 1 }).ok).toBe(false);
  });

  it('of member names hold together with the rule for all other names when all are kept', () => {
    const { schemas } = withNotes(literal);
    const schema = { patternProperties: { y: { type: 'null' } }, additionalProperties: false };

    expect(schemas.check(schema, { z: null }).ok).toBe(false);
  });
});

describe('time', () => {
  const widest = {
    oneOf: Array.from({ length: 98 }, (_, n) => ({
      type: 'object',
      properties: { selectedId: { const: `id-${n}` }, more: {} },
      required: ['selectedId'],
      additionalProperties: false,
    })),
  };
  let deepest: JsonObject = { type: 'string' };
  for (let level = 0; level < 38; level += 1) {
    deepest = {
      oneOf: [deepest, { minLength: level }],
      unevaluatedProperties: false,
      if: {},
      else: { maxLength: 1 },
    };
  }

  it.each<[name: string, schema: JsonObject, payload: JsonValue]>([
    ['the widest schema', widest, { selectedId: 'id-97' }],
    ['the deepest schema', deepest, 'x'],
    [
      'many equal items',
      { uniqueItems: true },
      Array.from({ length: 100_000 }, (_, n) => ({ n: n % 99_999 })),
    ],
    ['a very long text', { type: 'string', minLength: 1, maxLength: 10 }, 'x'.repeat(10_000_000)],
    [
      'a very wide payload',
      { additionalProperties: { enum: ['a', 'b', 'c'] } },
      Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`m${n}`, 'a'])),
    ],
    ['as many values as a request can hold', { items: { type: 'number' } }, Array(6_000_000).fill(0)],
    [
      'as many names as a request can hold',
      {},
      Object.fromEntries(Array.from({ length: 500_000 }, (_, n) => [`m${n}`, 0])),
    ],
    [
      'a list against a list',
      { items: { enum: Array.from({ length: 3900 }, (_, n) => ({ n })) } },
      Array.from({ length: 1000 }, () => ({ n: -1 })),
    ],
  ])('is never taken for long: %s', (_name, schema, payload) => {
    expect(fastestMs(schema, payload)).toBeLessThan(maxStallMs);
  });

  it.each([
    ['date', '2'],
    ['time', '1'],
    ['date-time', '1'],
    ['duration', 'P1'],
    ['email', 'a.'],
    ['email', 'a@a-'],
    ['email', 'a@a.'],
    ['hostname', 'a-'],
    ['hostname', 'a.'],
    ['ipv4', '1.'],
    ['ipv6', '1:'],
    ['ipv6', ':'],
    ['uri', 'a:'],
    ['uri', 'a+'],
    ['uuid', 'a'],
    ['json-pointer', '/~0'],
  ])('is linear for the format %s on repeated "%s"', (format, unit) => {
    const { schemas } = withNotes();
    schemas.check({ format }, '');
    const start = cpuMs();

    schemas.check({ format }, `${unit.repeat(500_000)}\u0000`);

    expect(cpuMs() - start).toBeLessThan(maxStallMs);
  });

  it('and memory stay bounded over ten thousand schemas', { timeout: 60_000 }, () => {
    const { schemas } = withNotes();
    const verdicts = new Set<boolean>();
    let longest = 0;

    for (let n = 0; n < 10_000; n += 1) {
      const start = cpuMs();
      verdicts.add(
        schemas.check({ type: 'object', properties: { [`p${n}`]: { const: n } } }, { [`p${n}`]: n }).ok,
      );
      longest = Math.max(longest, cpuMs() - start);
    }

    expect(verdicts).toEqual(new Set([true]));
    expect(longest).toBeLessThan(maxStallMs);
  });
});

describe('whatever the agent and the caller send', () => {
  const keyword = fc.constantFrom(
    'type',
    'not',
    'items',
    'oneOf',
    'allOf',
    'properties',
    'patternProperties',
    '$ref',
    '$defs',
    'enum',
    'required',
    'pattern',
    'format',
    'if',
    'then',
    'contains',
    'uniqueItems',
    'minLength',
    'dependentSchemas',
    '__proto__',
    '$id',
    '$anchor',
  );
  const plain = fc.oneof(
    fc.constantFrom<JsonValue>(
      'string',
      'object',
      '#',
      '#/$defs/a',
      '#/not',
      'date',
      true,
      null,
      0,
      -1,
      1e300,
    ),
    fc.string({ maxLength: 8 }),
  );
  const { schema } = fc.letrec<{ schema: JsonObject; value: JsonValue }>((tie) => ({
    schema: fc.dictionary(keyword, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
    value: fc.oneof(
      { maxDepth: 4 },
      plain,
      tie('schema'),
      fc.array(tie('value'), { maxLength: 3 }),
    ) as fc.Arbitrary<JsonValue>,
  }));

  it('there is a verdict and no throw', () => {
    const { schemas } = withNotes(literal);

    fc.assert(
      fc.property(schema, fc.jsonValue(), (hostile, payload) => {
        const verdict = schemas.check(hostile, payload as JsonValue);
        return verdict.ok || (verdict.problem.length > 0 && verdict.problem.length <= 200);
      }),
      { numRuns: 300 },
    );
  });

  it('a payload listed by the schema is accepted', () => {
    const { schemas } = withNotes();

    fc.assert(
      fc.property(
        fc.jsonValue(),
        (payload) => schemas.check({ enum: ['other', payload as JsonValue] }, payload as JsonValue).ok,
      ),
      { numRuns: 100 },
    );
  });
});
