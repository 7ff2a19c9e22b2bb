/**
 * The events of one run between the one who makes them and those who read them. Each event has a number, from 1, so that
 * a reader can come back and ask for what followed. Bounded: a writer that is too far ahead of a reader waits, and what
 * nobody needs any more is dropped, oldest first.
 */
import { Transcript } from '../domain/run/transcript.ts';
import type { Fault } from '../errors/fault.ts';
import type { ContentEvent, RunStarted, TokenUsage } from '../protocol/events.ts';
import type { Interrupt } from '../protocol/interrupt.ts';
import type { JsonObject, JsonValue } from '../protocol/json.ts';

export type RunItem = RunStarted | ContentEvent;

/** How a run ended. Each door writes its own terminal event for it. */
export type RunEnding = { readonly usage: readonly TokenUsage[] } & (
  | {
      readonly kind: 'finished';
      readonly result?: JsonValue;
      /** Calls of the client's own tools that its next run has to answer, in their order. */
      readonly pendingToolCallIds?: readonly string[];
    }
  | { readonly kind: 'interrupted'; readonly interrupts: readonly Interrupt[] }
  | { readonly kind: 'cancelled'; readonly fault: Fault }
  | { readonly kind: 'failed'; readonly fault: Fault }
);

export interface RunBatch {
  /** Number of the first item; the ending, when present, has the number after the last item. */
  readonly first: number;
  readonly items: readonly RunItem[];
  readonly ending: RunEnding | undefined;
}

export interface RunReader extends AsyncIterable<RunBatch> {
  /** Stops reading. A waiting `next` ends at once. */
  leave(): void;
}

export interface FeedLimits {
  /** A writer waits while the slowest reader is this many characters behind. */
  readonly maxLag: number;
  /** How much is kept for readers that come back, in characters. */
  readonly retained: number;
  /** Items handed over at a time. */
  readonly maxBatch: number;
}

export const defaultFeedLimits: FeedLimits = { maxLag: 262_144, retained: 1_048_576, maxBatch: 512 };

export class RunFeed {
  readonly #limits: FeedLimits;
  readonly #readers = new Set<FeedReader>();
  #items: RunItem[] = [];
  #sizes: number[] = [];
  /** Number of the item at index 0. */
  #first = 1;
  /** Characters ever appended, and ever dropped from the front. */
  #appended = 0;
  #dropped = 0;
  /** What was dropped from the front. */
  readonly #folded = new Transcript();
  #ending: RunEnding | undefined;
  #roomWaiters: (() => void)[] = [];

  /** The conversation that the run was asked to continue, in the words of its client. */
  readonly history: readonly JsonObject[];

  constructor(limits: FeedLimits = defaultFeedLimits, history: readonly JsonObject[] = []) {
    this.#limits = limits;
    this.history = history;
  }

  get ending(): RunEnding | undefined {
    return this.#ending;
  }

  /** Number of the newest item, 0 before the first. */
  get last(): number {
    return this.#first + this.#items.length - 1;
  }

  get readers(): number {
    return this.#readers.size;
  }

  append(events: readonly RunItem[]): void {
    if (this.#ending !== undefined || events.length === 0) return;
    for (const event of events) {
      const size = sizeOf(event);
      this.#items.push(event);
      this.#sizes.push(size);
      this.#appended += size;
    }
    this.#trim();
    for (const reader of this.#readers) reader.wake();
  }

  /** The end, once; later calls change nothing. */
  end(ending: RunEnding): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    for (const reader of this.#readers) reader.wake();
    this.#releaseWriter();
  }

  /** Undefined when the writer may go on at once; else resolves when it may, or when the feed has ended. */
  room(): Promise<void> | undefined {
    if (this.#ending !== undefined || !this.#isTooFarAhead()) return undefined;
    return new Promise((resolve) => this.#roomWaiters.push(resolve));
  }

  /**
   * A reader of everything after number `after`; it begins with the oldest event that is still there.
   */
  reader(after = 0): RunReader {
    const start = Math.min(Math.max(after + 1, this.#first), this.last + 1);
    const reader = new FeedReader(this, start, this.#characterAt(start));
    this.#readers.add(reader);
    return reader;
  }

  /** Whether everything after number `after` is still there. */
  holds(after: number): boolean {
    return after >= this.#first - 1 && after <= this.last;
  }

  /** Everything so far, folded. */
  transcript(): Transcript {
    const transcript = this.#folded.copy();
    for (const item of this.#items) if (item.type !== 'RUN_STARTED') transcript.add(item);
    return transcript;
  }

  /** For `FeedReader` only. */
  read(from: number): RunBatch | undefined {
    const start = from - this.#first;
    const end = Math.min(start + this.#limits.maxBatch, this.#items.length);
    const isLast = end === this.#items.length && this.#ending !== undefined;
    if (start >= end && !isLast) return undefined;
    return { first: from, items: this.#items.slice(start, end), ending: isLast ? this.#ending : undefined };
  }

  /** For `FeedReader` only: it moved on, or left. */
  moved(reader: FeedReader, hasLeft: boolean): void {
    if (hasLeft) this.#readers.delete(reader);
    if (this.#roomWaiters.length > 0 && !this.#isTooFarAhead()) this.#releaseWriter();
  }

  /** For `FeedReader` only. */
  charactersOf(batch: RunBatch): number {
    let sum = 0;
    for (let index = batch.first - this.#first, end = index + batch.items.length; index < end; index += 1) {
      sum += this.#sizes[index] ?? 0;
    }
    return sum;
  }

  #characterAt(number: number): number {
    let sum = this.#dropped;
    for (let index = 0; index < number - this.#first; index += 1) sum += this.#sizes[index] ?? 0;
    return sum;
  }

  #isTooFarAhead(): boolean {
    for (const reader of this.#readers) {
      if (this.#appended - reader.characters > this.#limits.maxLag) return true;
    }
    return false;
  }

  #releaseWriter(): void {
    const waiters = this.#roomWaiters;
    this.#roomWaiters = [];
    for (const resolve of waiters) resolve();
  }

  /** Drops from the front what is beyond the retained size and no reader still has to read. */
  #trim(): void {
    if (this.#appended - this.#dropped <= 2 * this.#limits.retained) return;
    let oldestNeeded = this.last + 1;
    for (const reader of this.#readers) oldestNeeded = Math.min(oldestNeeded, reader.position);
    let count = 0;
    let size = 0;
    while (
      this.#first + count < oldestNeeded &&
      this.#appended - this.#dropped - size > this.#limits.retained &&
      count < this.#items.length
    ) {
      size += this.#sizes[count] ?? 0;
      count += 1;
    }
    for (const item of this.#items.slice(0, count)) if (item.type !== 'RUN_STARTED') this.#folded.add(item);
    this.#items = this.#items.slice(count);
    this.#sizes = this.#sizes.slice(count);
    this.#first += count;
    this.#dropped += size;
  }
}

class FeedReader implements RunReader, AsyncIterator<RunBatch> {
  readonly #feed: RunFeed;
  /** Number of the next item to read. */
  position: number;
  /** Characters of the feed before that item. */
  characters: number;
  #wake: (() => void) | undefined;
  #isDone = false;

  constructor(feed: RunFeed, next: number, characters: number) {
    this.#feed = feed;
    this.position = next;
    this.characters = characters;
  }

  [Symbol.asyncIterator](): AsyncIterator<RunBatch> {
    return this;
  }

  async next(): Promise<IteratorResult<RunBatch, undefined>> {
    while (!this.#isDone) {
      const batch = this.#feed.read(this.position);
      if (batch !== undefined) return { done: false, value: this.#take(batch) };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<RunBatch, undefined>> {
    this.leave();
    return { done: true, value: undefined };
  }

  leave(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#feed.moved(this, true);
    this.wake();
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #take(batch: RunBatch): RunBatch {
    this.characters += this.#feed.charactersOf(batch);
    this.position += batch.items.length;
    if (batch.ending !== undefined) this.leave();
    else this.#feed.moved(this, false);
    return batch;
  }
}

/** Rough size in characters: exact for what grows, a flat sum for the rest. */
function sizeOf(event: RunItem): number {
  switch (event.type) {
    case 'TEXT_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CONTENT':
    case 'TOOL_CALL_ARGS':
      return 96 + event.delta.length;
    case 'TOOL_CALL_RESULT':
      return 160 + event.content.length;
    case 'CUSTOM':
      return JSON.stringify(event.value).length + 64;
    case 'STATE_SNAPSHOT':
      return JSON.stringify(event.snapshot).length + 64;
    case 'STATE_DELTA':
      return JSON.stringify(event.delta).length + 64;
    case 'MESSAGES_SNAPSHOT':
      return JSON.stringify(event.messages).length + 64;
    case 'ACTIVITY_SNAPSHOT':
      return JSON.stringify(event.content).length + 160;
    default:
      return 160;
  }
}
