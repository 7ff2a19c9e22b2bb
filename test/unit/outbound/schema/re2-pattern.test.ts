import { describe, expect, it } from 'vitest';
import { AjvAnswerSchemas } from '../../../../src/outbound/schema/ajv-answer-schemas.ts';
import { compileLinearPattern } from '../../../../src/outbound/schema/re2-pattern.ts';
import type { Log } from '../../../../src/ports/runtime.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

const matches = (pattern: string, text: string) => compileLinearPattern(pattern)?.test(text);

describe('patterns of agents', () => {
  it.each([
    ['^[A-Za-z][A-Za-z0-9-]{0,62}$', 'vpc-1', '1vpc'],
    ['^\\d{1,3}(\\.\\d{1,3}){3}/\\d{1,2}$', '10.0.0.0/16', '10.0.0.0'],
    ['^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', '8473547e-c8ed-4aef-a84c-603a6a8d42da', '8473547e'],
    ['^\\p{L}+$', 'é', '1'],
    ['^[\\u4e00-\\u9fa5]+$', '中', 'a'],
    ['b', 'abc', 'ac'],
    ['^.$', '😀', '😀😀'],
    ['^[\\w\\-]+$', 'a-b', 'a b'],
  ])('are matched as JSON Schema asks: %s', (pattern, good, bad) => {
    expect([matches(pattern, good), matches(pattern, bad)]).toEqual([true, false]);
  });

  it.each([
    ['looks ahead', '^(?!a)b'],
    ['repeats what a group found', '(a)\\1'],
    ['is malformed', '('],
    ['counts too far', '(a{0,1000})'.repeat(18)],
    ['multiplies too far', '((a{0,30}){0,30})'],
    ['is too long', 'a'.repeat(201)],
  ])('are refused when one %s', (_name, pattern) => {
    expect(compileLinearPattern(pattern)).toBeUndefined();
  });

  it.each([
    '^(a+)+$',
    '(a|aa)*$',
    '(.*a){20}$',
    '(?:[a-z]{0,16}){0,15}$',
    '(\\p{L}{0,16}){0,14}$',
    '(?:x*a*z*){70}$',
    '^(\\w|\\d)*!$',
  ])('take no time to speak of: %s', (pattern) => {
    const silent = (): void => undefined;
    const quiet: Log = { debug: silent, info: silent, warn: silent, error: silent, child: () => quiet };
    const schemas = new AjvAnswerSchemas(quiet, { compilePattern: compileLinearPattern });
    schemas.check({ pattern }, '');
    const start = cpuMs();

    schemas.check({ pattern }, `${'a'.repeat(2047)}\u0000`);

    expect(cpuMs() - start).toBeLessThan(250);
    expect(compileLinearPattern(pattern)).toBeDefined();
  });
});
