/**
 * `forwardedProps.iacCode`, the extension of the iac-code AG-UI reference: strict, every member named there and no
 * other. Unknown JSON in, a typed value out, or the first thing that is wrong and where.
 */
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

export interface Thinking {
  readonly enabled?: boolean;
  readonly effort?: string;
  readonly budget?: number;
}

export interface AlibabaCloud {
  readonly accessKeyId?: string;
  readonly accessKeySecret?: string;
  readonly securityToken?: string;
  readonly regionId?: string;
}

/** Request-local options. Secrets in here are used for one request and kept nowhere. */
export interface IacCodeProps {
  readonly schemaVersion: 1;
  /** 1 to 256 characters. */
  readonly rosInvocationId: string;
  readonly cwd: string;
  readonly model?: string;
  readonly llmApiKey?: string;
  readonly thinking?: Thinking;
  readonly userId?: string;
  readonly channel?: string;
  readonly preferredLanguage?: string;
  readonly candidatePresentation?: 'standard' | 'rich';
  readonly runMode?: 'normal' | 'pipeline';
  readonly pipelineName?: string;
  readonly cleanupOnly?: boolean;
  readonly alibabaCloud?: AlibabaCloud;
}

export interface PropsProblem {
  /** Path of the offending member, such as `forwardedProps.iacCode.thinking.budget`. */
  readonly where: string;
  readonly problem: string;
}

/** Checks one member; answers what is wrong, or undefined. */
type Check = (value: JsonValue, where: string) => PropsProblem | undefined;

const maxTextLength = 16_384;

const text: Check = (value, where) =>
  typeof value !== 'string'
    ? { where, problem: 'expected a string' }
    : value.length > maxTextLength
      ? { where, problem: `longer than ${maxTextLength} characters` }
      : undefined;

const flag: Check = (value, where) =>
  typeof value === 'boolean' ? undefined : { where, problem: 'expected true or false' };

const oneOf =
  (...allowed: readonly string[]): Check =>
  (value, where) =>
    typeof value === 'string' && allowed.includes(value)
      ? undefined
      : { where, problem: `expected one of ${allowed.join(', ')}` };

const positiveInteger: Check = (value, where) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? undefined
    : { where, problem: 'expected a positive whole number' };

const version: Check = (value, where) => (value === 1 ? undefined : { where, problem: 'expected 1' });

const invocation: Check = (value, where) =>
  typeof value === 'string' && value.length >= 1 && value.length <= 256
    ? undefined
    : { where, problem: 'expected a string of 1 to 256 characters' };

const filledText: Check = (value, where) =>
  typeof value === 'string' && value.length > 0 && value.length <= maxTextLength
    ? undefined
    : { where, problem: 'expected a non-empty string' };

const thinking = strictObject({ enabled: flag, effort: text, budget: positiveInteger });
const alibabaCloud = strictObject({
  accessKeyId: text,
  accessKeySecret: text,
  securityToken: text,
  regionId: text,
});

const required = ['schemaVersion', 'rosInvocationId', 'cwd'] as const;
const iacCode = strictObject(
  {
    schemaVersion: version,
    rosInvocationId: invocation,
    cwd: filledText,
    model: text,
    llmApiKey: text,
    thinking,
    userId: text,
    channel: text,
    preferredLanguage: text,
    candidatePresentation: oneOf('standard', 'rich'),
    runMode: oneOf('normal', 'pipeline'),
    pipelineName: text,
    cleanupOnly: flag,
    alibabaCloud,
  },
  required,
);

/** Every member is known, of its type, and the required ones are there. An optional member may be null: it is absent. */
function strictObject(checks: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check {
  return (value, where) => {
    if (!isJsonObject(value)) return { where, problem: 'expected an object' };
    for (const key of needed) {
      if (!Object.hasOwn(value, key)) return { where: `${where}.${key}`, problem: 'is required' };
    }
    for (const [key, member] of Object.entries(value)) {
      const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
      if (check === undefined) return { where: `${where}.${key}`, problem: 'is not a known member' };
      if (member === undefined || (member === null && !needed.includes(key))) continue;
      const problem = check(member, `${where}.${key}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

function withoutNulls(value: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    kept[key] = isJsonObject(member) ? withoutNulls(member) : member;
  }
  return kept;
}

export type ParsedProps =
  | { readonly ok: true; readonly props: IacCodeProps }
  | { readonly ok: false; readonly problem: PropsProblem };

/** Reads the value of `forwardedProps.iacCode`. */
export function parseIacCodeProps(value: JsonValue): ParsedProps {
  const problem = iacCode(value, 'forwardedProps.iacCode');
  if (problem !== undefined) return { ok: false, problem };
  // The strict check above has just proven each member's presence and type.
  return { ok: true, props: withoutNulls(value as JsonObject) as unknown as IacCodeProps };
}
