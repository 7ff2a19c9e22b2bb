/**
 * WebSocket in browsers. They neither set headers nor show why an upgrade was refused, and they hear no pings: a refusal
 * is `CONNECTION_FAILED` without its reason.
 */
import { abortError, ClientError } from './client-error.ts';
import { FrameQueue } from './frame-queue.ts';
import { normalClose, type Socket, type SocketRequest } from './socket.ts';
import { protocolError } from './transport.ts';

export function openBrowserSocket({ url, protocols, signal }: SocketRequest): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError(signal));
    const socket = new WebSocket(url, [...protocols]);
    const queue = new FrameQueue();
    const onAbort = (): void => {
      reject(abortError(signal));
      socket.close();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
      if (typeof data === 'string') queue.push(data);
      else queue.fail(protocolError('the server sent a binary frame'));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      signal.removeEventListener('abort', onAbort);
      queue.close({ code, reason });
      // After the socket has been open this changes nothing.
      reject(refused(code));
    });
    socket.addEventListener('open', () => {
      signal.removeEventListener('abort', onAbort);
      resolve({
        send: (text) => socket.send(text),
        fail: (problem) => queue.fail(problem),
        frames: () => readAndClose(queue, socket),
        close: () => socket.close(normalClose),
      });
    });
    return undefined;
  });
}

/** Nothing was sent yet, so that trying again is harmless. */
function refused(closeCode: number): ClientError {
  const message = 'the socket was refused';
  return new ClientError({ code: 'CONNECTION_FAILED', message, closeCode, isUnsent: true, retryable: true });
}

async function* readAndClose(queue: FrameQueue, socket: WebSocket): ReturnType<Socket['frames']> {
  try {
    return yield* queue.read();
  } finally {
    socket.close(normalClose);
  }
}
