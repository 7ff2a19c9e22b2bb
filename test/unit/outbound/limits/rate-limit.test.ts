import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimit } from '../../../../src/outbound/limits/rate-limit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const passed = (limit: ReturnType<typeof createRateLimit>, asked: number, caller = 'ann') =>
  Array.from({ length: asked }, () => limit.take(caller)).filter((wait) => wait === undefined).length;

describe('a rate of 10 requests a second', () => {
  it('lets ten in at once and tells the next when to come back', () => {
    const limit = createRateLimit(10);

    expect(passed(limit, 10)).toBe(10);
    expect(limit.take('ann')).toBe(1);
  });

  it('is never twice the rate, wherever a second is thought to begin', () => {
    const limit = createRateLimit(10);
    passed(limit, 1);
    vi.advanceTimersByTime(990);
    const before = passed(limit, 20);
    vi.advanceTimersByTime(20);

    expect(before).toBe(10);
    expect(passed(limit, 20)).toBe(0);
  });

  it('fills evenly: one more every tenth of a second, and never more than a second holds', () => {
    const limit = createRateLimit(10);
    passed(limit, 10);
    vi.advanceTimersByTime(100);
    expect(passed(limit, 5)).toBe(1);
    vi.advanceTimersByTime(350);
    expect(passed(limit, 5)).toBe(3);
    vi.advanceTimersByTime(3_600_000);
    expect(passed(limit, 30)).toBe(10);
  });

  it('is counted for each caller alone, and goes on counting one who never stops asking', () => {
    const limit = createRateLimit(10);
    let annPassed = 0;
    for (let tick = 0; tick < 100; tick += 1) {
      annPassed += passed(limit, 5);
      vi.advanceTimersByTime(50);
    }

    expect(annPassed).toBe(10 + 49);
    expect(passed(limit, 20, 'bob')).toBe(10);
  });
});
