/** Tokens, summed per provider and model over the run. What is not a whole, non-negative number is not counted. */
import type { TokenUsage } from '../protocol/events.ts';
import { type JsonObject, stringAt } from '../protocol/json.ts';
import type { Memory } from './memory.ts';

const counters = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
] as const;

/** `isRepeat`: a snapshot shows the newest report again. */
export function countUsage(memory: Memory, usage: JsonObject, isRepeat: boolean): void {
  const text = JSON.stringify(usage);
  if (isRepeat && memory.lastUsage === text) return;
  memory.lastUsage = text;
  const provider = stringAt(usage, 'provider');
  const model = stringAt(usage, 'model');
  const key = JSON.stringify([provider, model]);
  const sum: Record<string, string | number> = { ...memory.usage.get(key) };
  if (provider !== undefined) sum['provider'] = provider;
  if (model !== undefined) sum['model'] = model;
  for (const name of counters) {
    const count = usage[name];
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) continue;
    sum[name] = Number(sum[name] ?? 0) + count;
  }
  if (counters.some((name) => name in sum)) memory.usage.set(key, sum as TokenUsage);
}
