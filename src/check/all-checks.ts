/** Every check, in the order in which they are made: what is at rest first, what may disturb the subject last. */
import type { Check } from './check.ts';
import { CheckError } from './check-error.ts';
import { containerChecks } from './checks/container-checks.ts';
import { errorChecks } from './checks/error-checks.ts';
import { eventChecks } from './checks/event-checks.ts';
import { imageChecks } from './checks/image-checks.ts';
import { invocationChecks } from './checks/invocation-checks.ts';
import { pingChecks } from './checks/ping-checks.ts';
import { sessionChecks } from './checks/session-checks.ts';
import { socketChecks } from './checks/socket-checks.ts';
import { streamChecks } from './checks/stream-checks.ts';
import { toleranceChecks } from './checks/tolerance-checks.ts';

const wire = [
  ...containerChecks,
  ...pingChecks,
  ...invocationChecks,
  ...streamChecks,
  ...socketChecks,
  ...eventChecks,
  ...sessionChecks,
  ...errorChecks,
  ...toleranceChecks,
];

export const allChecks: readonly Check[] = [...imageChecks, ...inOrder(wire)];

export interface Choice {
  readonly hasUrl: boolean;
  readonly hasWebSocket: boolean;
  readonly hasImage: boolean;
  /** Ids, or their nouns: `ping`, `ping.status`. Empty: all. */
  readonly only: readonly string[];
}

/** What is to be made. Throws `CheckError` for a name that chooses nothing. */
export function chooseChecks({ hasUrl, hasWebSocket, hasImage, only }: Choice): readonly Check[] {
  const possible = allChecks.filter(({ on }) =>
    on === 'image' ? hasImage : on === 'ws' ? hasUrl && hasWebSocket : hasUrl,
  );
  for (const name of only) {
    if (possible.some((check) => isNamed(check, name))) continue;
    const isKnown = allChecks.some((check) => isNamed(check, name));
    const hint = isKnown ? 'needs an address, --ws or --image' : 'is no check; --list shows them';
    throw new CheckError(`--only ${name}: ${hint}`);
  }
  return only.length === 0 ? possible : possible.filter((check) => only.some((name) => isNamed(check, name)));
}

export function nounOf({ id }: { readonly id: string }): string {
  return id.split('.', 1)[0] ?? id;
}

function isNamed(check: Check, name: string): boolean {
  return check.id === name || nounOf(check) === name.replace(/\.\*$/, '');
}

/** Checks of one noun stand together, where its first one stands. */
function inOrder<Each extends Check>(checks: readonly Each[]): readonly Each[] {
  return [...Map.groupBy(checks, nounOf).values()].flat();
}
