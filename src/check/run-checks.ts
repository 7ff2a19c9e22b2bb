/**
 * Makes the checks, one after the other, within the time given, and puts the outcome together. The way in for programs:
 * the command line only adds flags and paper.
 */
import { isClientError } from '../client/client-error.ts';
import { chooseChecks } from './all-checks.ts';
import { type Check, type ImageCheck, skipped, type WireCheck } from './check.ts';
import { CheckError } from './check-error.ts';
import { containerChecks } from './checks/container-checks.ts';
import type { ImageArchive } from './image-archive.ts';
import { Lab } from './lab.ts';
import { countsOf, type Outcome, type Report, type Result } from './report.ts';
import type { Settings } from './settings.ts';

export interface Order {
  /** The wire. Without it only the image is looked at. */
  readonly settings?: Settings | undefined;
  /** The images of one archive; of several the one for ARM64 is looked at. */
  readonly images?: readonly ImageArchive[] | undefined;
  readonly only?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of each check as it begins, and of each result as it is there. */
  readonly onStart?: ((check: Check) => void) | undefined;
  readonly onResult?: ((result: Result) => void) | undefined;
}

/** Throws `CheckError` when there is nothing to check. */
export async function runChecks(order: Order): Promise<Report> {
  const { settings, images = [], only = [] } = order;
  const image = images.find(({ architecture }) => architecture === 'arm64') ?? images[0];
  if (settings === undefined && image === undefined)
    throw new CheckError('what to check? give an address or an image');
  const checks = chooseChecks({
    hasUrl: settings !== undefined,
    hasWebSocket: settings?.hasWebSocket === true,
    hasImage: image !== undefined,
    only,
  });
  const startedAt = new Date();
  const begun = performance.now();
  const results = await new Runner(order, image).run(checks);
  const subject = [settings?.url, image?.path].filter((each) => each !== undefined).join(' and ');
  const durationMs = Math.round(performance.now() - begun);
  return { subject, startedAt: startedAt.toISOString(), durationMs, results, counts: countsOf(results) };
}

class Runner {
  readonly #order: Order;
  readonly #image: ImageArchive | undefined;
  readonly #signal: AbortSignal;
  readonly #lab: Lab | undefined;
  #isUnreachable = false;

  constructor(order: Order, image: ImageArchive | undefined) {
    const { settings, signal } = order;
    const limit = AbortSignal.timeout(settings?.totalMs ?? 60_000);
    this.#order = order;
    this.#image = image;
    this.#signal = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    this.#lab = settings === undefined ? undefined : new Lab(settings, this.#signal);
  }

  async run(checks: readonly Check[]): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (const check of await this.#withReach(checks)) {
      this.#order.onStart?.(check);
      const result = await this.#resultOf(check);
      results.push(result);
      this.#order.onResult?.(result);
    }
    return results;
  }

  /** Where nothing answers, that is the finding, whatever was chosen. */
  async #withReach(checks: readonly Check[]): Promise<readonly Check[]> {
    const [reach] = containerChecks;
    if (this.#lab === undefined || reach === undefined || checks.every(({ on }) => on === 'image'))
      return checks;
    const { kind } = await this.#outcomeOf(reach);
    this.#isUnreachable = kind === 'failed';
    return this.#isUnreachable && !checks.includes(reach) ? [reach, ...checks] : checks;
  }

  async #resultOf(check: Check): Promise<Result> {
    const { id, sentence, source, severity } = check;
    const begun = performance.now();
    const outcome = await this.#outcomeOf(check);
    return { id, sentence, source, severity, outcome, durationMs: Math.round(performance.now() - begun) };
  }

  async #outcomeOf(check: Check): Promise<Outcome> {
    if (check.on === 'image') return this.#ofImage(check);
    if (this.#isUnreachable && check !== containerChecks[0]) return skipped('nothing answers at the address');
    return this.#ofWire(check);
  }

  #ofImage(check: ImageCheck): Outcome {
    return this.#image === undefined ? skipped('no image was given') : check.prove(this.#image);
  }

  async #ofWire(check: WireCheck): Promise<Outcome> {
    const timeIsOver: Outcome = {
      kind: 'unproven',
      why: 'the time for all checks was over; --timeout gives more',
    };
    const lab = this.#lab;
    if (lab === undefined || this.#signal.aborted) return timeIsOver;
    try {
      const verdict = await check.prove(lab);
      if (verdict.kind !== 'failed') return verdict;
      // An answer that we did not wait for is no failure of the subject.
      if (this.#signal.aborted) return timeIsOver;
      const { sent, seen, why } = verdict;
      return {
        kind: 'failed',
        why: lab.site.mask(why),
        sent: lab.site.mask(sent),
        seen: lab.site.mask(seen),
      };
    } catch (thrown) {
      if (!isClientError(thrown)) throw thrown;
      return { kind: 'unproven', why: this.#signal.aborted ? timeIsOver.why : lab.site.mask(thrown.message) };
    }
  }
}
