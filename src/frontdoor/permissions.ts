/**
 * Whether an identity's policy lets it do something: allowed by a statement and denied by none, on the runtime and on its
 * endpoint, as the platform asks for both. Pure. Conditions are not known (door.json can't hold any).
 *
 * Source: IAM policy evaluation within one account; actions and resources of Amazon Bedrock AgentCore.
 */
import type { Statement } from './door-config.ts';

export interface Asked {
  /** Without the service's prefix. */
  readonly action: string;
  readonly resources: readonly string[];
}

/** The first resource on which it is not allowed, or undefined: all are. */
export function refusedResource(
  statements: readonly Statement[],
  { action, resources }: Asked,
): string | undefined {
  const full = `bedrock-agentcore:${action}`;
  const meets = (resource: string, effect: Statement['Effect']): boolean =>
    statements.some(
      ({ Effect, Action, Resource }) =>
        Effect === effect &&
        Action.some((pattern) => isMatch(pattern.toLowerCase(), full.toLowerCase())) &&
        Resource.some((pattern) => isMatch(pattern, resource)),
    );
  return resources.find((resource) => meets(resource, 'Deny') || !meets(resource, 'Allow'));
}

/** `*` is any text, `?` one character. Without a regular expression, as patterns with many stars would blow it up. */
function isMatch(pattern: string, text: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let resumeAt = 0;
  while (at < text.length) {
    const sign = pattern[inPattern];
    if (sign === '*') {
      star = inPattern;
      inPattern += 1;
      resumeAt = at;
    } else if (sign !== undefined && (sign === '?' || sign === text[at])) {
      inPattern += 1;
      at += 1;
    } else if (star >= 0) {
      inPattern = star + 1;
      resumeAt += 1;
      at = resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}
