/** What a container has to bear: large bodies, inputs of newer clients, readers that go away. */
import { setTimeout as pause } from 'node:timers/promises';
import { passed, skipped, source, type Verdict, type WireCheck } from '../check.ts';
import { isGood, type Lab, type Run, type RunOptions } from '../lab.ts';
import { unlike } from './invocation-checks.ts';

const bodyMiB = 2;
const recoveryTries = 5;
const recoveryPauseMs = 400;

export const toleranceChecks: readonly WireCheck[] = [
  bears(
    'input.unknown-members',
    'Members of the input that the agent does not know are passed over',
    source.agui('RunAgentInput'),
    'an input with an unknown member does not run',
    () => ({ input: { 'x-unknown': { of: ['a', 'newer', 'client'] } } }),
  ),
  bears(
    'input.newer-minor',
    'A client of a newer minor version is served',
    source.agui('protocolVersion'),
    'an input with protocolVersion 1.99 does not run',
    () => ({ input: { protocolVersion: '1.99' } }),
  ),
  bears(
    'limits.body',
    `A body of ${bodyMiB} MiB is taken; the platform passes up to 100 MB`,
    source.platform('quotas'),
    `an input of ${bodyMiB} MiB does not run`,
    (lab) => ({
      input: {
        forwardedProps: { ...lab.settings.forwardedProps, 'x-padding': 'x'.repeat(bodyMiB * 1024 * 1024) },
      },
    }),
  ),
  {
    id: 'disconnect.recovers',
    sentence: 'A reader that goes away takes neither the container nor the thread with it',
    source: source.platform('sessions'),
    severity: 'error',
    on: 'http',
    prove: proveRecovery,
  },
];

function bears(
  id: string,
  sentence: string,
  from: string,
  why: string,
  optionsOf: (lab: Lab) => RunOptions,
): WireCheck {
  const prove = async (lab: Lab): Promise<Verdict> => {
    if (!isGood(await lab.example())) return skipped('the example did not run');
    const run = await lab.run(optionsOf(lab));
    return isGood(run) ? passed : unlike(why, run);
  };
  return { id, sentence, source: from, severity: 'warning', on: 'http', prove };
}

/** A thread may be busy for a moment, until the run that was left has ended; and the leaving has to be noticed first. */
async function proveRecovery(lab: Lab): Promise<Verdict> {
  if (!isGood(await lab.example())) return skipped('the example did not run');
  const place = await lab.left();
  let next: Run | undefined;
  for (let tries = 0; tries < recoveryTries && (next === undefined || !isGood(next)); tries += 1) {
    await pause(recoveryPauseMs);
    next = await lab.run(place);
  }
  return next === undefined || isGood(next)
    ? passed
    : unlike('the thread of a run that was left takes no other', next);
}
