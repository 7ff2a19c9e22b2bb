/**
 * Runs over WebSocket: one socket for each run, closed with 1000 behind the terminal event. Sockets of their own keep the
 * events of two runs apart, which on one socket nothing tells apart in AG-UI, and are what one-run containers expect.
 */
import { abortError, ClientError, type ClientErrorFacts } from './client-error.ts';
import { abnormalClose, type Socket, type SocketClose } from './socket.ts';
import type { Received, StreamRequest, Transport } from './transport.ts';
import { Watchdog } from './watchdog.ts';
import { FrameReader } from './ws-frames.ts';

export interface WsTransportOptions {
  /** Opens a socket with the caller's credentials. Rejects with `ClientError`. */
  connect(request: Omit<StreamRequest, 'message'>): Promise<Socket>;
  /** The longest time without a frame or ping, 0 for any. */
  readonly silenceMs: number;
}

export class WsTransport implements Transport {
  readonly #options: WsTransportOptions;

  constructor(options: WsTransportOptions) {
    this.#options = options;
  }

  async *stream({ message, ...request }: StreamRequest): AsyncGenerator<Received, never> {
    const socket = await this.#options.connect(request);
    const ended = new AbortController();
    const watchdog = new Watchdog(this.#options.silenceMs, (problem) => ended.abort(problem));
    try {
      socket.send(JSON.stringify(message));
      const either = AbortSignal.any([request.signal, ended.signal]);
      const close = yield* readFrames(socket, either, watchdog);
      throw closed(close);
    } finally {
      watchdog.stop();
      socket.close();
    }
  }
}

async function* readFrames(
  socket: Socket,
  signal: AbortSignal,
  watchdog: Watchdog,
): AsyncGenerator<Received, SocketClose> {
  const reader = new FrameReader();
  const frames = socket.frames();
  const onAbort = (): void => socket.fail(abortError(signal));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const next = await frames.next();
      if (next.done === true) return next.value;
      watchdog.heard();
      if (next.value !== undefined) yield* reader.read(next.value);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A close before the terminal event, whatever its code: the run's end was not told. */
function closed({ code, reason }: SocketClose): ClientError {
  const text = code === abnormalClose ? 'the connection broke off' : `the server closed the socket (${code})`;
  const refused: Readonly<Record<number, string>> = {
    1003: 'the message was refused as unsupported data',
    1007: 'the message was refused as malformed',
    1008: 'a limit of the server was passed',
    1009: 'a message was too large',
  };
  const facts: ClientErrorFacts = {
    code: 'TRUNCATED',
    message: refused[code] === undefined ? text : `${refused[code]} (${code})`,
    closeCode: code,
    retryable: refused[code] === undefined,
  };
  return new ClientError(
    reason === '' ? facts : { ...facts, message: `${facts.message}: ${reason.slice(0, 123)}` },
  );
}
