/**
 * What a container's `/ping` answers mean for its session: whether it is healthy, whether it is held alive, and what is
 * wrong with the answers. Pure: the time is given.
 *
 * Source: `/ping` of the AgentCore AG-UI contract. A busy container lives; a change of status, or of the stamp of the last
 * change, counts as activity, so that a stamp of "now" keeps a session alive for ever. Busy without a stamp: documented to
 * hold the session, measured by users not to; hence the two rules.
 */
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import { mediaTypeOf } from '../wire/media-type.ts';
import type { PingReport } from './door-log.ts';

export interface PingAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

export interface PingVerdict {
  readonly isHealthy: boolean;
  /** The idle time starts anew. */
  readonly isActivity: boolean;
}

type Status = 'Healthy' | 'HealthyBusy';

/** So many moves of the stamp, while the status stood still and nothing was called, are no coincidence. */
const advancesUntilReport = 3;
/** A stamp that has not moved for so long does not follow the clock. */
const stillSeconds = 5;
const futureToleranceSeconds = 60;
const millisecondsFrom = 100_000_000_000;

export class PingWatch {
  readonly #busyRule: 'documented' | 'observed';
  readonly #report: (report: PingReport) => void;
  readonly #told = new Set<PingReport['kind']>();
  #status: Status | undefined;
  #stamp: number | undefined;
  #advances = 0;
  #movedAt = 0;

  constructor(busyRule: 'documented' | 'observed', report: (report: PingReport) => void) {
    this.#busyRule = busyRule;
    this.#report = report;
  }

  get status(): Status | undefined {
    return this.#status;
  }

  /** `isQuiet`: the session has not been called since the last ping, so that nothing of ours can have moved the stamp. */
  take(answer: PingAnswer, nowSeconds: number, isQuiet: boolean): PingVerdict {
    if (answer.status !== 200) return { isHealthy: false, isActivity: false };
    const body = this.#bodyOf(answer);
    const { status } = body;
    if (status !== 'Healthy' && status !== 'HealthyBusy') {
      this.#tell(
        'status-unknown',
        'the member status of /ping must be Healthy or HealthyBusy, in this spelling',
      );
      return { isHealthy: true, isActivity: false };
    }
    const stamp = this.#stampOf(body, nowSeconds);
    const isChanged = this.#status !== undefined && this.#status !== status;
    const isMoved = stamp !== undefined && this.#status !== undefined && stamp !== this.#stamp;
    this.#countAdvance(isMoved, isQuiet && !isChanged, nowSeconds);
    this.#status = status;
    this.#stamp = stamp;
    return { isHealthy: true, isActivity: isChanged || isMoved || this.#isHeld(status, stamp) };
  }

  #bodyOf({ contentType, body }: PingAnswer): JsonObject {
    if (mediaTypeOf(contentType) !== 'application/json') {
      this.#tell('media-type', 'the answer of /ping must be of the media type application/json');
    }
    try {
      const value: unknown = JSON.parse(body);
      if (isJsonObject(value)) return value;
    } catch {
      // Told below, as for JSON that is no object.
    }
    this.#tell('body-not-json', 'the body of /ping must be a JSON object');
    return {};
  }

  #stampOf({ time_of_last_update: stamp }: JsonObject, nowSeconds: number): number | undefined {
    if (stamp === undefined) return undefined;
    if (typeof stamp !== 'number' || !Number.isInteger(stamp)) {
      this.#tell('stamp-not-integer', 'time_of_last_update must be whole Unix seconds; it is ignored');
      return undefined;
    }
    if (stamp > millisecondsFrom) {
      this.#tell('stamp-in-milliseconds', 'time_of_last_update must be in seconds, not milliseconds');
    } else if (stamp > nowSeconds + futureToleranceSeconds) {
      this.#tell('stamp-in-the-future', 'time_of_last_update lies in the future');
    }
    return stamp;
  }

  #countAdvance(isMoved: boolean, isUnexplained: boolean, nowSeconds: number): void {
    if (!isUnexplained || nowSeconds - this.#movedAt > stillSeconds) this.#advances = 0;
    if (isMoved) this.#movedAt = nowSeconds;
    if (isMoved && isUnexplained) this.#advances += 1;
    if (this.#advances < advancesUntilReport) return;
    this.#tell(
      'stamp-always-advances',
      'time_of_last_update moves at every ping while status stays the same: the session never idles, lives to its maximum lifetime and uses up the quota; set it only when status changes',
    );
  }

  #isHeld(status: Status, stamp: number | undefined): boolean {
    if (status !== 'HealthyBusy') return false;
    if (stamp === undefined) {
      this.#tell(
        'busy-without-stamp',
        'HealthyBusy without time_of_last_update holds the session by the documents, but users have measured that it does not',
      );
    }
    return this.#busyRule === 'documented' || stamp !== undefined;
  }

  #tell(kind: PingReport['kind'], text: string): void {
    if (this.#told.has(kind)) return;
    this.#told.add(kind);
    this.#report({ kind, text });
  }
}
