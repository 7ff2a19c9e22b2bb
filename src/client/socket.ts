/** The narrow port to an open WebSocket, which browsers and the `ws` package both serve. */
import type { ClientError } from './client-error.ts';

export interface SocketRequest {
  readonly url: URL;
  /** Only where headers can be set; a browser carries what it may as subprotocols and in the address. */
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  readonly signal: AbortSignal;
}

export interface Socket {
  send(text: string): void;
  /**
   * Text frames in order, until the socket is closed. Undefined is a sign of life without content. Rejects with
   * `PROTOCOL_ERROR` for a binary frame. Leaving early closes the socket.
   */
  frames(): AsyncGenerator<string | undefined, SocketClose>;
  /** Makes the frames reject with this, at once. */
  fail(problem: ClientError): void;
  close(): void;
}

export interface SocketClose {
  readonly code: number;
  readonly reason: string;
}

/** Opens a socket. Rejects with a `ClientError`: the refusal that the server gave, where it can be seen. */
export type OpenSocket = (request: SocketRequest) => Promise<Socket>;

/** Code of a socket that was lost without a goodbye. */
export const abnormalClose = 1006;
/** 1000: what was wanted has been had. */
export const normalClose = 1000;
