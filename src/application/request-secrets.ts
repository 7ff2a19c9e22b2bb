/** The secrets that a request brings along: what an agent that repeats them must not get into a log. */
import type { RunRequest } from './run-service.ts';

export function secretsOf({ props, caller }: RunRequest): readonly string[] {
  const { llmApiKey, alibabaCloud } = props ?? {};
  const { accessKeyId, accessKeySecret, securityToken } = alibabaCloud ?? {};
  const given = [llmApiKey, accessKeyId, accessKeySecret, securityToken];
  // The kernel is sent them without the spaces around them.
  const values = given.filter((each) => each !== undefined).map((each) => each.trim());
  return [...values, ...caller.context.secrets];
}
