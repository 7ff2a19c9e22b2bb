/**
 * What is done to the subject, each thing once however many checks look at it: pings at rest, the contract's example
 * with pings beside it, two sessions at the same time, malformed bodies. Checks read the evidence; this room makes it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { badInputs } from './bad-inputs.ts';
import { type Arrival, type Exchange, eventsOf, isTerminal } from './exchange.ts';
import { exampleInput, type InputOptions, makeSession, makeWord } from './inputs.ts';
import type { Settings } from './settings.ts';
import { Site } from './site.ts';
import { Sockets } from './sockets.ts';

export interface Run {
  readonly threadId: string;
  readonly runId: string;
  readonly exchange: Exchange;
}

/** A ping beside a run; times in milliseconds since the run was asked for. */
export interface PingBeside {
  readonly from: number;
  readonly to: number;
  readonly exchange: Exchange;
}

export interface WatchedRun extends Run {
  readonly pings: readonly PingBeside[];
  /** Unix seconds when it was asked for. */
  readonly askedAt: number;
}

export interface RunOptions extends InputOptions {
  readonly sessionId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly leaveAt?: (arrivals: readonly Arrival[]) => boolean;
  readonly timeoutMs?: number;
}

const pingLimitMs = 5_000;
const pingPauseMs = 150;

export class Lab {
  readonly settings: Settings;
  readonly site: Site;
  readonly sockets: Sockets;

  constructor(settings: Settings, signal: AbortSignal) {
    this.settings = settings;
    this.site = new Site(settings, signal);
    this.sockets = new Sockets(this.site, settings);
  }

  ping(): Promise<Exchange> {
    return this.site.request({
      method: 'GET',
      operation: 'ping',
      timeoutMs: Math.min(pingLimitMs, this.settings.answerMs),
    });
  }

  /** The agent run once. */
  async run(options: RunOptions = {}): Promise<Run> {
    const { sessionId = makeSession(), headers = {}, leaveAt, timeoutMs } = options;
    const input = exampleInput(this.settings, options);
    const exchange = await this.site.request({
      body: input,
      sessionId,
      headers,
      ...(leaveAt === undefined ? {} : { leaveAt }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return { threadId: input.threadId, runId: input.runId, exchange };
  }

  /** Three pings over more than two seconds, before anything was asked of the agent. */
  readonly pingsAtRest = once(async (): Promise<readonly Exchange[]> => {
    const pings = [await this.ping()];
    if (pings[0]?.status === undefined) return pings;
    for (let count = 0; count < 2; count += 1) {
      await pause(this.settings.restMs);
      pings.push(await this.ping());
    }
    return pings;
  });

  /** The example of the contract with ids of its own, pinged while it runs. */
  readonly example = once(async (): Promise<WatchedRun> => {
    // What is at rest has to be seen first.
    if (!this.site.isBehindPlatform) await this.pingsAtRest();
    const askedAt = Math.floor(Date.now() / 1_000);
    const begun = performance.now();
    const pings: PingBeside[] = [];
    const watching = new AbortController();
    const watch = async (): Promise<void> => {
      while (!watching.signal.aborted && !this.site.isBehindPlatform) {
        const from = performance.now() - begun;
        const exchange = await this.ping();
        pings.push({ from, to: performance.now() - begun, exchange });
        if (exchange.status === undefined) return;
        await pause(pingPauseMs, undefined, { signal: watching.signal }).catch(() => undefined);
      }
    };
    let watcher: Promise<void> | undefined;
    const leaveAt = (): boolean => {
      watcher ??= watch();
      return false;
    };
    const run = await this.run({ leaveAt });
    watching.abort();
    await watcher;
    return { ...run, pings, askedAt };
  });

  readonly pingAfterRun = once(async (): Promise<Exchange> => {
    await this.example();
    return this.ping();
  });

  /** Two sessions told a word of their own at the same time, then a third asked on the first one's thread. */
  readonly sessions = once(async () => {
    const threadId = crypto.randomUUID();
    const words = [makeWord(), makeWord()] as const;
    const tell = (word: string, thread: string): Promise<Run> =>
      this.run({ threadId: thread, prompt: `Please remember this word: ${word}` });
    const [first, second] = await Promise.all([
      tell(words[0], threadId),
      tell(words[1], crypto.randomUUID()),
    ]);
    const stranger = await this.run({ threadId, prompt: 'Which word did I ask you to remember?' });
    return { words, first, second, stranger };
  });

  /** Malformed bodies, and what came back for each. */
  readonly refusals = once(async () => {
    await this.example();
    const answers = [];
    for (const bad of badInputs) {
      const body = bad.body(exampleInput(this.settings));
      const exchange = await this.site.request({ body, sessionId: makeSession() });
      answers.push({ ...bad, exchange });
    }
    return answers;
  });

  /** A reader that goes away at the first event. */
  readonly left = once(async () => {
    await this.example();
    const sessionId = makeSession();
    const { threadId } = await this.run({
      sessionId,
      leaveAt: (arrivals) => eventsOf({ arrivals }).length > 0,
    });
    return { sessionId, threadId };
  });
}

/** A terminal event came, of whichever kind. */
export function hasEnded({ exchange }: Run): boolean {
  return eventsOf(exchange).some(isTerminal);
}

/** The agent did what it was asked. */
export function isGood({ exchange }: Run): boolean {
  return exchange.status === 200 && eventsOf(exchange).some(({ type }) => type === 'RUN_FINISHED');
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
