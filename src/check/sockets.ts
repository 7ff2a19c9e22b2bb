/** What is done to `/ws`, each thing once. */
import { isClientError } from '../client/client-error.ts';
import { isTerminal } from './exchange.ts';
import { exampleInput, makeSession } from './inputs.ts';
import type { Settings } from './settings.ts';
import type { Site } from './site.ts';
import { eventsOfFrames, type Frame, Talk, type WireTalk } from './talk.ts';

/** The upgrade was refused, or no socket came about. */
export interface NoSocket {
  readonly kind: 'refused';
  readonly why: string;
}

export interface SocketRun {
  readonly kind: 'talked';
  readonly threadId: string;
  readonly runId: string;
  readonly sent: string;
  readonly hasEnded: boolean;
  readonly talk: WireTalk;
}

export interface SecondTurn {
  readonly kind: 'talked';
  readonly sent: string;
  /** Whether the first run and the second came to their ends. */
  readonly ends: readonly [boolean, boolean];
  readonly talk: WireTalk;
}

/** A frame that can't be read is refused without any work. */
const refusalMs = 3_000;

export class Sockets {
  readonly #site: Site;
  readonly #settings: Settings;
  #run: Promise<SocketRun | NoSocket> | undefined;

  constructor(site: Site, settings: Settings) {
    this.#site = site;
    this.#settings = settings;
  }

  /** One run over a socket of its own. */
  run(): Promise<SocketRun | NoSocket> {
    this.#run ??= this.#talk(async (talk) => {
      const input = exampleInput(this.#settings);
      talk.send(input);
      const hasEnded = await talk.until(ended(1), this.#settings.answerMs);
      const { threadId, runId } = input;
      return { kind: 'talked', threadId, runId, sent: describeFrame(input), hasEnded, talk: talk.end() };
    });
    return this.#run;
  }

  /** Two turns of one conversation over one socket. */
  twoTurns(): Promise<SecondTurn | NoSocket> {
    return this.#talk(async (talk) => {
      const first = exampleInput(this.#settings);
      talk.send(first);
      const isFirst = await talk.until(ended(1), this.#settings.answerMs);
      const message = { id: crypto.randomUUID(), role: 'user', content: this.#settings.prompts.usual };
      const second = exampleInput(this.#settings, {
        threadId: first.threadId,
        input: { messages: [...first.messages, message] },
      });
      if (isFirst) talk.send(second);
      const isSecond = isFirst && (await talk.until(ended(2), this.#settings.answerMs));
      return { kind: 'talked', sent: describeFrame(second), ends: [isFirst, isSecond], talk: talk.end() };
    });
  }

  /** A frame that is no JSON, then a run over the same socket. */
  afterBadFrame(): Promise<(SecondTurn & { readonly isTold: boolean }) | NoSocket> {
    return this.#talk(async (talk) => {
      talk.send('this is no JSON');
      const isTold = await talk.until(ended(1), Math.min(refusalMs, this.#settings.answerMs));
      const input = exampleInput(this.#settings);
      if (isTold) talk.send(input);
      const isUsable = isTold && (await talk.until(ended(2), this.#settings.answerMs));
      return { kind: 'talked', sent: 'this is no JSON', isTold, ends: [isTold, isUsable], talk: talk.end() };
    });
  }

  async #talk<Result>(talk: (talk: Talk) => Promise<Result>): Promise<Result | NoSocket> {
    try {
      return await talk(new Talk(await this.#site.open(makeSession())));
    } catch (thrown) {
      if (!isClientError(thrown)) throw thrown;
      const status = thrown.status === undefined ? '' : `HTTP ${thrown.status}: `;
      return { kind: 'refused', why: status + thrown.message };
    }
  }
}

const ended =
  (count: number) =>
  (frames: readonly Frame[]): boolean =>
    eventsOfFrames(frames).filter(isTerminal).length >= count;

export function describeFrame(message: unknown): string {
  return `a text frame: ${JSON.stringify(message)}`;
}
