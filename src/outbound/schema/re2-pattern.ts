/**
 * Patterns of agents' schemas by re2js, an engine whose time is linear to the text, whatever the pattern. Refused is
 * what such an engine can't do (looking ahead, repeating a group's text), and what would grow too large when its
 * counted repetitions are written out.
 */
import { RE2JS } from 're2js';
import type { LinearPattern } from './ajv-answer-schemas.ts';

const maxPatternLength = 200;
/** Sum of the numbers in `{…}`: keeps the compiler itself short. */
const maxCounted = 512;
/** Instructions of the compiled pattern: 2,048 characters against as many take about 15 ms at worst. */
const maxInstructions = 500;

/** A `PatternCompiler` for `AjvAnswerSchemas`. Found anywhere in the text, Unicode aware, as JSON Schema asks. */
export function compileLinearPattern(pattern: string): LinearPattern | undefined {
  if (pattern.length > maxPatternLength || countedRepetitions(pattern) > maxCounted) return undefined;
  const compiled = compile(pattern);
  if (compiled === undefined || compiled.programSize() > maxInstructions) return undefined;
  return { test: (text) => compiled.matcher(text).find() };
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    // Malformed, or beyond the engine; what it says holds the agent's words.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function countedRepetitions(pattern: string): number {
  let sum = 0;
  for (const [, least, most] of pattern.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g))
    sum += Number(most || least);
  return sum;
}
