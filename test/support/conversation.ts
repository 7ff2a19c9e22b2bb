/**
 * One thread's conversation by one door, so that a scenario is written once and proven on each: `POST /`,
 * `POST /invocations`, and a socket of its own on `/ws`. What the doors tell differently is put side by side here.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ThreadAddress } from '../../src/protocol/ids.ts';
import { threadId as toThreadId } from '../../src/protocol/ids.ts';
import type { Door } from '../spec/requirements.ts';
import { eventsOf, input, openRun, run, type WireEvent } from './requests.ts';
import type { TestServer } from './servers.ts';
import { type OpenSocket, openSocket } from './sockets.ts';

export const everyDoor: readonly Door[] = ['iac-code', 'agentcore', 'ws'];

/** The answer to one request, whatever door it came by. */
export interface Reply {
  /** Of HTTP; 200 on a socket, which has none. */
  readonly status: number;
  /** The body, or the frames of the run, one a line. */
  readonly text: string;
  readonly events: readonly WireEvent[];
  readonly contentType: string;
}

/** A request whose answer is still on its way. */
export interface OpenReply {
  until(predicate: (events: readonly WireEvent[]) => boolean): Promise<readonly WireEvent[]>;
  readonly ended: Promise<readonly WireEvent[]>;
  /** The connection is lost; resolves when it is closed. */
  leave(): Promise<void>;
}

type Overrides = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

export interface ConversationOptions {
  readonly threadId?: string;
  readonly headers?: Headers;
  /** Members of `forwardedProps.iacCode` besides the required ones. */
  readonly props?: Overrides;
}

export class Conversation {
  readonly server: TestServer;
  readonly door: Door;
  readonly threadId: string;
  readonly folder: string;
  readonly #options: ConversationOptions;
  #socket: Promise<OpenSocket> | undefined;

  constructor(server: TestServer, door: Door, options: ConversationOptions = {}) {
    this.server = server;
    this.door = door;
    this.folder = join(server.folder, 'workspace', 'w');
    this.threadId = options.threadId ?? String(input()['threadId']);
    this.#options = options;
  }

  get address(): ThreadAddress {
    return { sessionId: undefined, threadId: toThreadId(this.threadId) };
  }

  /** Path of the thread's state file. */
  get stateFile(): string {
    return join(this.server.folder, 'agui', 'threads', `${this.threadId}.json`);
  }

  props(overrides: Overrides = {}): Record<string, unknown> {
    const required = { schemaVersion: 1, rosInvocationId: 'invocation-1', cwd: this.folder };
    return { ...required, ...this.#options.props, ...overrides };
  }

  body(overrides: Overrides = {}): Record<string, unknown> {
    return input({
      threadId: this.threadId,
      protocolVersion: '1.0',
      forwardedProps: { iacCode: this.props() },
      ...overrides,
    });
  }

  say(overrides: Overrides = {}): Promise<Reply> {
    return this.send(this.body(overrides));
  }

  /** A normal turn with these members of the extension. */
  sayWith(props: Overrides, overrides: Overrides = {}): Promise<Reply> {
    return this.say({ forwardedProps: { iacCode: this.props(props) }, ...overrides });
  }

  resume(...entries: readonly object[]): Promise<Reply> {
    return this.say({ resume: entries, messages: [] });
  }

  /** Sends any body. */
  async send(body: unknown): Promise<Reply> {
    if (this.door !== 'ws') {
      const answer = await run(this.#url, body, this.#options.headers);
      const contentType = answer.headers['content-type'] ?? '';
      const events = contentType.startsWith('text/event-stream') ? eventsOf(answer.text) : [];
      return { status: answer.status, text: answer.text, events, contentType };
    }
    const opened = await this.open(body);
    const events = await opened.ended;
    const text = events.map((event) => JSON.stringify(event)).join('\n');
    return { status: 200, text, events, contentType: '' };
  }

  /** Sends a body and leaves the answer open. */
  async open(body: unknown = this.body()): Promise<OpenReply> {
    if (this.door === 'ws') return this.#openFrames(body);
    const opened = await openRun(this.#url, body, this.#options.headers);
    const ended = opened.ended.then(eventsOf);
    // A test that leaves does not wait for the end.
    ended.catch(() => undefined);
    return {
      until: async (predicate) => wholeEventsOf(await opened.until((text) => predicate(wholeEventsOf(text)))),
      ended,
      leave: opened.leave,
    };
  }

  /** Takes a run's end into its own hands: the iac-code door by execution, the others by the control message. */
  async cancel(runId: unknown, executionId: unknown, rosInvocationId = 'invocation-1'): Promise<Reply> {
    if (this.door !== 'iac-code') return this.#control({ control: 'cancel', threadId: this.threadId, runId });
    const url = `${this.server.url}/extensions/iac-code/v1/executions/${String(executionId)}/cancel`;
    const answer = await run(url, { threadId: this.threadId, rosInvocationId }, this.#options.headers);
    return { ...answer, events: [], contentType: answer.headers['content-type'] ?? '' };
  }

  /** A control message goes by POST, so that its answer can't be taken for an event of a run. */
  async #control(message: object): Promise<Reply> {
    const answer = await run(`${this.server.url}/invocations`, message, this.#options.headers);
    return { ...answer, events: [], contentType: answer.headers['content-type'] ?? '' };
  }

  async #openFrames(body: unknown): Promise<OpenReply> {
    this.#socket ??= openSocket(`${this.server.url}/ws`, this.#options.headers);
    const socket = await this.#socket;
    const from = socket.events.length;
    socket.send(body);
    const ended = socket
      .until((events) => events.slice(from).some(isTerminal))
      .then((events) => events.slice(from));
    ended.catch(() => undefined);
    return {
      until: async (predicate) => (await socket.until((events) => predicate(events.slice(from)))).slice(from),
      ended,
      leave: async () => {
        this.#socket = undefined;
        socket.socket.terminate();
        await socket.closed;
      },
    };
  }

  get #url(): string {
    return `${this.server.url}${this.door === 'iac-code' ? '/' : '/invocations'}`;
  }
}

const isTerminal = ({ type }: WireEvent): boolean => type === 'RUN_FINISHED' || type === 'RUN_ERROR';

/** Events of a stream that may break off inside a record. */
function wholeEventsOf(text: string): readonly WireEvent[] {
  return eventsOf(text.slice(0, text.lastIndexOf('\n\n') + 2));
}

export const lastOf = ({ events }: Reply): WireEvent | undefined => events.at(-1);
export const typesOf = ({ events }: Reply): readonly string[] => events.map(({ type }) => type);

/** The text that a run said. */
export function saidIn(events: readonly WireEvent[]): string {
  return events
    .filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
    .map(({ delta }) => delta)
    .join('');
}

/** The interrupts that a run ended in. */
export function interruptsOf(reply: Reply): readonly Record<string, unknown>[] {
  const last = lastOf(reply);
  expect(last).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'interrupt' } });
  return Object(last?.['outcome'])['interrupts'];
}

/** The iac-code word for what went wrong, wherever the door tells it; undefined when nothing did. */
export function faultOf(reply: Reply): string | undefined {
  if (reply.contentType === 'application/json') return JSON.parse(reply.text).error.code;
  const last = lastOf(reply);
  return Object(Object(last?.['metadata'])['agentcore-agui'])['fault'];
}

/** The fault's sentence, wherever the door tells it. */
export function sentenceOf(reply: Reply): string {
  if (reply.contentType === 'application/json') return JSON.parse(reply.text).error.message;
  return String(lastOf(reply)?.['message']);
}

/** The values of CUSTOM events of this name. */
export function customsOf(events: readonly WireEvent[], name: string): readonly Record<string, unknown>[] {
  return events.filter((event) => event['name'] === name).map(({ value }) => Object(value));
}

/** The value of the run's session event. */
export function sessionOf(reply: Reply): Record<string, unknown> {
  return customsOf(reply.events, 'iac-code.session.v1')[0] ?? {};
}

export const resolved = (interruptId: string, payload: unknown) => ({
  interruptId,
  status: 'resolved',
  payload,
});
export const withdrawn = (interruptId: string) => ({ interruptId, status: 'cancelled' });
export const allow = { decision: 'allow_once' };
export const deny = { decision: 'deny' };
/** The end of a run that was cancelled, in the words of the door, for a client that speaks AG-UI 1.0. */
export const cancelledEnd = (door: Door) =>
  door === 'iac-code'
    ? { type: 'RUN_ERROR', code: 'CANCELLED' }
    : { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } };
