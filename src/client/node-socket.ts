/**
 * WebSocket in Node, by the `ws` package: it can send headers and shows why an upgrade was refused. Loaded only there.
 * Pings each 20 s, as the platform's front drops silent sockets after about a minute.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { boundedText } from './byte-stream.ts';
import { abortError, ClientError } from './client-error.ts';
import { noConnection } from './fetch-channel.ts';
import { FrameQueue } from './frame-queue.ts';
import { maxRefusalBytes, readRefusal } from './read-refusal.ts';
import { normalClose, type Socket, type SocketRequest } from './socket.ts';
import { protocolError } from './transport.ts';

const pingMs = 20_000;
const goodbyeMs = 2_000;
/** No frame of AgentCore is larger than 64 KB; other containers may send whole snapshots. */
const maxFrameBytes = 64 * 1024 * 1024;

export function openNodeSocket({ url, headers, protocols, signal }: SocketRequest): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError(signal));
    const socket = new WebSocket(url, [...protocols], {
      headers: { ...headers },
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
      followRedirects: false,
    });
    const onAbort = (): void => {
      reject(abortError(signal));
      socket.terminate();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const forget = (): void => signal.removeEventListener('abort', onAbort);
    const failed = (cause: Error): void => {
      forget();
      reject(signal.aborted ? abortError(signal) : notOpened(cause));
    };
    socket.on('error', failed);
    socket.once('unexpected-response', (request: ClientRequest, response: IncomingMessage) => {
      forget();
      readAnswer(response)
        .then(reject, reject)
        .finally(() => request.destroy());
    });
    socket.once('open', () => {
      forget();
      socket.off('error', failed);
      resolve(new NodeSocket(socket));
    });
    return undefined;
  });
}

/** Whatever went wrong before the socket was open: the message has not been sent. */
function notOpened(cause: Error): ClientError {
  const { code, message } = noConnection(cause);
  return new ClientError({ code, message, isUnsent: true, retryable: true, cause });
}

async function readAnswer(response: IncomingMessage): Promise<ClientError> {
  const body = await boundedText(response, maxRefusalBytes);
  const header = (name: string): string | undefined => {
    const value = response.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return readRefusal({ status: response.statusCode ?? 0, header, body });
}

class NodeSocket implements Socket {
  readonly #socket: WebSocket;
  readonly #queue: FrameQueue;
  readonly #pings: NodeJS.Timeout;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#queue = new FrameQueue({ pause: () => socket.pause(), resume: () => socket.resume() });
    this.#pings = setInterval(() => socket.ping(), pingMs);
    const alive = (): void => this.#queue.alive();
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.#queue.fail(protocolError('the server sent a binary frame'));
      else this.#queue.push(data.toString());
    });
    socket.on('ping', alive);
    socket.on('pong', alive);
    // The close that always follows tells the code.
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => {
      clearInterval(this.#pings);
      this.#queue.close({ code, reason: reason.toString() });
    });
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  async *frames(): ReturnType<Socket['frames']> {
    try {
      return yield* this.#queue.read();
    } finally {
      this.close();
    }
  }

  fail(problem: ClientError): void {
    this.#queue.fail(problem);
  }

  /** Says goodbye; a server that does not answer it is left behind. */
  close(): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    clearInterval(this.#pings);
    // What still comes is read by nobody.
    this.#socket.removeAllListeners('message');
    this.#socket.resume();
    this.#socket.close(normalClose);
    const timer = setTimeout(() => this.#socket.terminate(), goodbyeMs).unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }
}
