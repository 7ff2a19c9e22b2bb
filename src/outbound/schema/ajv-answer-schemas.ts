/**
 * Answer schemas by ajv, under limits. A schema comes from an agent and is not trusted: it is reduced first
 * (`usable-schema`), compiled without optimiser and inlining (both grow faster than the schema), and its validator is
 * kept in a cache of bounded size.
 *
 * A schema that can't be used, and a keyword whose pattern can't be matched in linear time, ask for nothing: the user
 * would otherwise be stuck with a question that no answer satisfies, for a fault that is the agent's. Both are logged,
 * without the schema's own words. A payload too large to be checked in time is refused.
 */
import { createHash } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { RegExpEngine } from 'ajv/dist/types/index.js';
import { fastFormats } from 'ajv-formats/dist/formats.js';
import type { PayloadCheck } from '../../domain/interrupts/answers.ts';
import type { AnswerSchemas } from '../../ports/answer-schema.ts';
import type { Log } from '../../ports/runtime.ts';
import type { JsonObject, JsonValue } from '../../protocol/json.ts';
import { explain } from './explain-errors.ts';
import { canonicalText, payloadSize } from './payload.ts';
import { toUsableSchema } from './usable-schema.ts';

/** A pattern ready to be matched, in time linear to the text. */
export interface LinearPattern {
  /** Is the pattern found anywhere in the text? */
  test(text: string): boolean;
}
/** Undefined for a pattern that is malformed or can't be matched in linear time. */
export type PatternCompiler = (pattern: string) => LinearPattern | undefined;

export interface AnswerSchemaOptions {
  /** Without one every pattern is set aside. */
  readonly compilePattern?: PatternCompiler;
  /** How many compiled schemas are kept. */
  readonly maxCached?: number;
}

/** Formats whose check takes time linear to the text; all others ask for nothing. */
const linearFormats = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
  'json-pointer',
  'int32',
  'int64',
  'float',
  'double',
] as const;

/** Steps of one check: schema cost times payload size. About 100 ms where every step is a dear one. */
const maxSteps = 1_000_000;
/** Values of a payload, whatever the schema. */
const maxPayloadSize = 200_000;
/** A longer text matches no pattern. */
const maxPatternText = 2048;
const maxCachedPatterns = 1000;

/** `validate` undefined: the schema asks for nothing. */
interface Compiled {
  readonly validate: ValidateFunction | undefined;
}

export class AjvAnswerSchemas implements AnswerSchemas {
  readonly #log: Log;
  readonly #compilePattern: PatternCompiler;
  readonly #patterns = new Map<string, LinearPattern | undefined>();
  readonly #maxCached: number;
  /** Made for the first schema: most runs ask for none. */
  #ajv: Ajv2020 | undefined;
  readonly #cache = new Map<string, Compiled>();

  constructor(log: Log, options: AnswerSchemaOptions = {}) {
    this.#log = log;
    const compilePattern = options.compilePattern ?? (() => undefined);
    this.#compilePattern = (pattern) => remember(this.#patterns, pattern, compilePattern);
    this.#maxCached = options.maxCached ?? 128;
  }

  check(schema: JsonObject, payload: JsonValue): PayloadCheck {
    const usable = toUsableSchema(schema, (pattern) => this.#compilePattern(pattern) !== undefined);
    if (!usable.ok) return this.#askNothing(usable.why);
    const limit = Math.min(maxPayloadSize, maxSteps / usable.cost);
    const size = payloadSize(payload, limit);
    if (size === undefined) return { ok: false, where: '', problem: 'is nested too deep' };
    if (size > limit) return { ok: false, where: '', problem: 'is too large to be checked' };
    const { validate } = this.#compiled(usable.schema, usable.setAside);
    if (validate === undefined) return this.#askNothing('not a JSON Schema');
    return validate(payload) ? { ok: true } : { ok: false, ...explain(validate.errors ?? []) };
  }

  #compiled(schema: JsonObject, setAside: number): Compiled {
    const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64');
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    if (setAside > 0) this.#log.warn('answer-schema.patterns-set-aside', { keywords: setAside });
    if (this.#cache.size >= this.#maxCached) {
      // A single validator can't be taken out of its ajv, so that all go together.
      this.#cache.clear();
      this.#ajv = undefined;
    }
    const compiled = { validate: this.#compile(schema) };
    this.#cache.set(key, compiled);
    return compiled;
  }

  #compile(schema: JsonObject): ValidateFunction | undefined {
    this.#ajv ??= newAjv(this.#compilePattern);
    try {
      return this.#ajv.compile(schema);
    } catch (error) {
      // Not a JSON Schema, or more than the engine takes. What ajv says of it holds the agent's words.
      if (error instanceof Error) return undefined;
      throw error;
    }
  }

  #askNothing(why: string): PayloadCheck {
    this.#log.warn('answer-schema.unusable', { why });
    return { ok: true };
  }
}

/** Patterns are asked for at every check and again when their schema is compiled. */
function remember(
  patterns: Map<string, LinearPattern | undefined>,
  pattern: string,
  compilePattern: PatternCompiler,
): LinearPattern | undefined {
  if (patterns.has(pattern)) return patterns.get(pattern);
  if (patterns.size >= maxCachedPatterns) patterns.clear();
  const compiled = compilePattern(pattern);
  patterns.set(pattern, compiled);
  return compiled;
}

function newAjv(compilePattern: PatternCompiler): Ajv2020 {
  const ajv = new Ajv2020({
    // What is unknown was left out before; what stays is judged by the specification, not by ajv's stricter taste.
    strict: false,
    logger: false,
    ownProperties: true,
    inlineRefs: false,
    code: { optimize: false, regExp: patternEngine(compilePattern) },
  });
  for (const name of linearFormats) ajv.addFormat(name, fastFormats[name]);
  // ajv's own compare pair by pair, and throw on an answer such as {"toString": null}.
  for (const keyword of ['uniqueItems', 'enum', 'const']) ajv.removeKeyword(keyword);
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: allDifferent });
  ajv.addKeyword({ keyword: 'enum', schemaType: 'array', compile: isOneOf });
  ajv.addKeyword({ keyword: 'const', compile: (value: JsonValue) => isOneOf([value]) });
  return ajv;
}

function patternEngine(compilePattern: PatternCompiler): RegExpEngine {
  // Only ajv's own schema of schemas comes here with a pattern that was refused, on members that are left out before.
  const never: LinearPattern = { test: () => false };
  const compile = (pattern: string) => {
    const compiled = compilePattern(pattern) ?? never;
    return {
      test: (text: string) => text.length <= maxPatternText && compiled.test(text),
      // ajv takes matchers of equal text for one and the same.
      toString: () => pattern,
    };
  };
  // `code` is for validators written to files, which there are none of.
  return Object.assign(compile, { code: 'undefined' });
}

function allDifferent(isAsked: boolean, items: readonly JsonValue[]): boolean {
  return !isAsked || new Set(items.map(canonicalText)).size === items.length;
}

function isOneOf(allowed: readonly JsonValue[]): (value: JsonValue) => boolean {
  const texts = new Set(allowed.map(canonicalText));
  return (value) => texts.has(canonicalText(value));
}
