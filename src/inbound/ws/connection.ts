/**
 * One open `/ws` socket: its messages are runs to start or controls to obey, any number of them, on any threads. What a
 * message gets wrong is told as a `RUN_ERROR` frame and the socket stays usable; only a frame that can't be a message, or
 * too many of them, closes it. The wire is written down in docs/protocol.md.
 */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Caller, RunService, StartedRun } from '../../application/run-service.ts';
import { codes } from '../../errors/catalog.ts';
import { fault, toFault } from '../../errors/fault.ts';
import { chooseLanguage, type Language } from '../../language/choose-language.ts';
import type { Log, Runtime } from '../../ports/runtime.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { parseJsonBytes } from '../../wire/json-text.ts';
import { sseFrame } from '../../wire/sse-frame.ts';
import { admitCall, assertStillProven, type CallerRules } from '../caller.ts';
import { answerControl, isControl, parseControl } from '../control.ts';
import { logFault } from '../request-log.ts';
import { readRunRequest } from '../run-request.ts';
import { type Audience, toRunError } from '../stream/dialect.ts';
import type { Heartbeats } from '../stream/heartbeats.ts';
import { pump } from '../stream/pump.ts';
import { FrameRate } from './frame-rate.ts';
import { type Framing, WsWriter } from './ws-writer.ts';

export interface ConnectionParts {
  readonly service: RunService;
  readonly callers: CallerRules;
  readonly runtime: Runtime;
  readonly telemetry: Telemetry;
  readonly heartbeats: Heartbeats;
  readonly fallbackLanguage: Language;
  readonly limits: SocketLimits;
}

export interface SocketLimits {
  /** A protocol ping each; a peer that answers none of two is gone. */
  readonly pingMs: number;
  /** A socket without a run or a message for so long is closed. */
  readonly idleMs: number;
  /** A socket that is older is closed, its runs going on; 0 for never. */
  readonly maxAgeMs: number;
  /** Messages that a client may send in a second, and at once. */
  readonly messagesPerSecond: number;
}

export interface OpenedSocket {
  readonly socket: WebSocket;
  readonly duplex: Duplex;
  readonly caller: Caller;
  readonly remoteAddress: string | undefined;
  readonly framing: Framing;
}

/** 1001: going away. */
const goingAway = 1001;
const policy = 1008;

export class Connection {
  readonly #opened: OpenedSocket;
  readonly #parts: ConnectionParts;
  readonly #log: Log;
  readonly #gone = new AbortController();
  readonly #rate: FrameRate;
  #streams = 0;
  #unanswered = 0;
  readonly #openedAt: number;
  #quietSince: number;
  #messages = { since: 0, count: 0 };
  #endTick: () => void = () => undefined;

  constructor(opened: OpenedSocket, parts: ConnectionParts) {
    this.#opened = opened;
    this.#parts = parts;
    this.#log = parts.runtime.log.child({
      requestId: opened.caller.requestId,
      sessionId: opened.caller.sessionId,
      transport: 'ws',
    });
    this.#rate = new FrameRate(parts.runtime.clock);
    this.#openedAt = parts.runtime.clock.now();
    this.#quietSince = this.#openedAt;
    const { socket } = opened;
    socket.on('message', (data, isBinary) => void this.#receive(data, isBinary));
    socket.on('pong', () => {
      this.#unanswered = 0;
    });
    socket.on('close', () => this.#end());
    socket.on('error', (cause) => this.#log.debug('socket error', { cause }));
    this.#tick();
  }

  /** Says goodbye; the runs that it reads are left to their policy. */
  close(): void {
    this.#opened.socket.close(goingAway);
  }

  #end(): void {
    this.#endTick();
    this.#gone.abort();
  }

  /** Pings, and ends what answers no more or has been idle for too long. */
  #tick(): void {
    this.#endTick = this.#parts.runtime.clock.after(this.#parts.limits.pingMs, () => {
      const { socket } = this.#opened;
      if (this.#isTooOld()) return socket.close(goingAway);
      if (this.#unanswered >= 2) return socket.terminate();
      const quietMs = this.#parts.runtime.clock.now() - this.#quietSince;
      if (this.#streams === 0 && quietMs >= this.#parts.limits.idleMs) return socket.close(goingAway);
      this.#unanswered += 1;
      socket.ping();
      return this.#tick();
    });
  }

  #isTooOld(): boolean {
    const { maxAgeMs } = this.#parts.limits;
    return maxAgeMs > 0 && this.#parts.runtime.clock.now() - this.#openedAt >= maxAgeMs;
  }

  async #receive(data: RawData, isBinary: boolean): Promise<void> {
    if (isBinary) return this.#opened.socket.close(codes.UNSUPPORTED_MEDIA_TYPE.close);
    if (this.#isTooMany()) return this.#opened.socket.close(policy);
    this.#quietSince = this.#parts.runtime.clock.now();
    let audience = this.#newAudience();
    const learn = (known: Partial<Audience>): void => {
      audience = { ...audience, ...known };
    };
    try {
      this.#admit();
      const run = await this.#obey(parse(data), learn);
      if (run !== undefined) await this.#stream(run, audience);
    } catch (thrown) {
      const problem = toFault(thrown);
      logFault(this.#log, problem, { threadId: audience.threadId, runId: audience.runId });
      await this.#reply(toRunError(problem, audience));
      // Nothing more can succeed on this socket; with new credentials its runs can be attached to.
      if (problem.code === 'UNAUTHORIZED') this.#opened.socket.close(policy);
    }
  }

  /** Every message is a request: its sender must still be who it was, and counts against its rate. */
  #admit(): void {
    const { caller, remoteAddress } = this.#opened;
    assertStillProven(caller, this.#parts.runtime.clock);
    admitCall({ subject: caller.subject, remoteAddress }, this.#parts.callers);
  }

  /** Does what the message asks for; a run to be shown, where it asks for one. */
  async #obey(body: JsonObject, learn: (known: Partial<Audience>) => void): Promise<StartedRun | undefined> {
    const { service, fallbackLanguage } = this.#parts;
    const { caller } = this.#opened;
    if (!isControl(body)) {
      const setting = { door: 'agentcore', caller, fallbackLanguage, log: this.#log, learn } as const;
      return service.start(readRunRequest(body, setting));
    }
    const control = parseControl(body);
    if (control.control === 'attach') {
      learn({
        threadId: control.threadId,
        runId: control.runId,
        isModern: typeof body['protocolVersion'] === 'string',
      });
      return service.attach({ ...control, caller, language: this.#newAudience().language });
    }
    const answer = await answerControl(control, caller, service);
    // A cancelled run ends with its own terminal event; there is nothing more to say.
    if (control.control === 'ping' || answer.status !== 'cancelled') await this.#reply(answer);
    return undefined;
  }

  async #stream(run: StartedRun, audience: Audience): Promise<void> {
    const { socket, duplex, framing } = this.#opened;
    const writer = new WsWriter({ socket, duplex, gone: this.#gone.signal, rate: this.#rate, framing });
    this.#streams += 1;
    try {
      const outcome = await pump(run.reader, writer, audience, this.#parts.heartbeats);
      if (outcome === 'gone') run.readerLost('detach');
      else void this.#parts.telemetry.flush();
    } finally {
      this.#streams -= 1;
      this.#quietSince = this.#parts.runtime.clock.now();
    }
  }

  #isTooMany(): boolean {
    const now = this.#parts.runtime.clock.now();
    // Apart by more than a second in either direction: a clock may be set back.
    if (Math.abs(now - this.#messages.since) >= 1_000) this.#messages = { since: now, count: 0 };
    this.#messages.count += 1;
    return this.#messages.count > this.#parts.limits.messagesPerSecond;
  }

  async #reply(message: object): Promise<void> {
    await this.#rate.take(this.#gone.signal);
    const { socket, framing } = this.#opened;
    const json = JSON.stringify(message);
    if (socket.readyState === socket.OPEN) socket.send(framing === 'sse' ? sseFrame(json) : json);
  }

  #newAudience(): Audience {
    const { caller } = this.#opened;
    const { acceptLanguage } = caller;
    return {
      door: 'agentcore',
      language: chooseLanguage({
        preferred: undefined,
        acceptLanguage,
        fallback: this.#parts.fallbackLanguage,
      }),
      requestId: caller.requestId,
      threadId: undefined,
      runId: undefined,
      isModern: true,
    };
  }
}

function parse(data: RawData): JsonObject {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data);
  const parsed = parseJsonBytes(bytes);
  if (!parsed.ok) throw parsed.fault;
  if (!isJsonObject(parsed.value)) throw fault('body-not-an-object');
  return parsed.value;
}
