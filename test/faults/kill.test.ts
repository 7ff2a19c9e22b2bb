/** A server that is killed: what it told its clients still holds for the one that comes after it. */
import { describe, expect, it } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { killRounds } from './kill-rounds.ts';

describe('a server that is killed with SIGKILL at any moment', () => {
  it('loses no interrupt, executes nothing twice, leaves no thread busy and no file unreadable', async () => {
    verifies('resume.after-restart', 'resume.no-second-execution', 'interrupt.on-disk-first');

    const { breaches, threads } = await killRounds(8, Date.now());

    expect(breaches).toEqual([]);
    expect(threads).toBe(40);
  }, 60_000);
});
