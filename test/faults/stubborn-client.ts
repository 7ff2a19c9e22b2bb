/**
 * A client that does what a careful one does when its server dies: it asks again with the same run id, attaches to what
 * it has lost, and answers what it was asked, until its turn is over. It writes down what it was told.
 */

import { allow, resolved } from '../support/conversation.ts';
import { eventsOf, run, type WireEvent } from '../support/requests.ts';

type Body = Readonly<Record<string, unknown>>;

export interface Told {
  /** The run that asked, as announced to this client. */
  interruptId: string | undefined;
  /** An answer has left this client. */
  hasAnswered: boolean;
  /** The whole turn is over, by success. */
  isDone: boolean;
  /** Every fault that it was told, in the iac-code words. */
  readonly faults: string[];
}

export class StubbornClient {
  readonly threadId: string;
  readonly told: Told = { interruptId: undefined, hasAnswered: false, isDone: false, faults: [] };
  readonly #thinks: () => Promise<unknown>;
  #serial = 0;
  #runId: string | undefined;

  /** `thinks`: the time that passes between a question and its answer. */
  constructor(threadId: string, thinks: () => Promise<unknown>) {
    this.threadId = threadId;
    this.#thinks = thinks;
  }

  /** Goes on with the turn by this server until it is over or the server is gone. At most `most` requests. */
  async goOn(url: string, most = 12): Promise<void> {
    for (let request = 0; request < most && !this.told.isDone; request += 1) {
      const events = await this.#ask(url);
      if (events === undefined) return;
      this.#learn(events);
      if (this.#runId === undefined) await this.#thinks();
    }
  }

  /** The events of one request; undefined when the connection broke. */
  async #ask(url: string): Promise<readonly WireEvent[] | undefined> {
    try {
      const { text } = await run(`${url}/invocations`, this.#next());
      return eventsOf(text);
    } catch {
      return undefined;
    }
  }

  #next(): Body {
    const { threadId } = this;
    if (this.#runId !== undefined) return { control: 'attach', threadId, runId: this.#runId };
    this.#serial += 1;
    this.#runId = `${threadId}-run-${this.#serial}`;
    const envelope = { threadId, runId: this.#runId, protocolVersion: '1.0' };
    const rest = { state: {}, tools: [], context: [], forwardedProps: {} };
    const { interruptId } = this.told;
    if (interruptId === undefined) {
      const messages = [{ id: `${this.#runId}-message`, role: 'user', content: '/ask' }];
      return { ...envelope, ...rest, messages };
    }
    this.told.hasAnswered = true;
    return { ...envelope, ...rest, messages: [], resume: [resolved(interruptId, allow)] };
  }

  #learn(events: readonly WireEvent[]): void {
    const last = events.at(-1);
    const outcome = Object(last?.['outcome']);
    if (last?.type === 'RUN_FINISHED' && outcome['type'] === 'interrupt') {
      this.told.interruptId = String(Object(outcome['interrupts'][0])['id']);
      this.#runId = undefined;
    } else if (last?.type === 'RUN_FINISHED') {
      this.told.isDone = true;
    } else if (last?.type === 'RUN_ERROR') {
      this.told.faults.push(String(Object(Object(last['metadata'])['agentcore-agui'])['fault']));
      this.#runId = undefined;
    }
  }
}
