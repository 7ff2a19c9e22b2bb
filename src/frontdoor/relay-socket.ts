/**
 * Two WebSockets, the caller's and the container's, joined: messages, pings and pongs go through as they come, each side
 * is read only as fast as the other one takes it. Holds the platform's limits and closes with its codes.
 *
 * Source: WebSocket connections of AgentCore Runtime: 1001 session ended or too long, 1008 too many frames, 1009 frame too
 * large, 1011 internal error; silent sockets are dropped after about a minute.
 */
import type { WebSocket } from 'ws';
import type { RuntimeConfig } from './door-config.ts';
import { Rate } from './rate.ts';
import type { Session } from './session.ts';

export const closeCodes = { goingAway: 1001, policy: 1008, tooLarge: 1009, internal: 1011 } as const;
/** More than this waiting for one side stops reading from the other. */
const maxWaitingBytes = 1024 * 1024;
/** A side that does not answer the goodbye is left behind. */
const goodbyeMs = 3_000;

export interface SocketsToRelay {
  readonly caller: WebSocket;
  readonly container: WebSocket;
  readonly runtime: RuntimeConfig;
  readonly session: Session;
  /** The caller's connection is to break behind so many messages of the container. */
  readonly dropAfter: number | undefined;
}

export function relaySockets(sockets: SocketsToRelay): void {
  const { caller, container, runtime, session, dropAfter } = sockets;
  const { limits } = runtime;
  const closeBoth = (code: number, reason: string): void => {
    close(caller, code, reason);
    close(container, code, reason);
  };
  const life = setTimeout(
    () => closeBoth(closeCodes.goingAway, 'the connection has reached its maximum duration'),
    limits.streamingSeconds * 1_000,
  );
  const silence = setTimeout(() => {
    caller.terminate();
    container.terminate();
  }, limits.webSocketSilenceSeconds * 1_000);
  const forget = (): void => {
    clearTimeout(life);
    clearTimeout(silence);
  };
  let left = dropAfter ?? Number.POSITIVE_INFINITY;
  const onContainerFrame = (isMessage: boolean): void => {
    session.touch();
    if (isMessage) left -= 1;
    if (left <= 0) caller.terminate();
  };
  const shared = {
    framesPerSecond: limits.webSocketFramesPerSecond,
    closeBoth,
    alive: () => silence.refresh(),
  };
  pipe({ ...shared, from: caller, to: container, seen: () => session.touch() });
  pipe({ ...shared, from: container, to: caller, seen: onContainerFrame });
  caller.once('close', (code, reason) => {
    forget();
    passClose(container, code, reason, closeCodes.goingAway);
  });
  container.once('close', (code, reason) => {
    forget();
    const isOver = session.endReason !== undefined;
    passClose(caller, code, reason, isOver ? closeCodes.goingAway : closeCodes.internal);
    session.touch();
  });
}

interface Pipe {
  readonly from: WebSocket;
  readonly to: WebSocket;
  readonly framesPerSecond: number;
  closeBoth(code: number, reason: string): void;
  /** For every frame. */
  alive(): void;
  /** Behind every frame that has been passed on. */
  seen(isMessage: boolean): void;
}

function pipe({ from, to, framesPerSecond, closeBoth, alive, seen }: Pipe): void {
  const rate = new Rate(framesPerSecond);
  const resume = (): void => {
    if (from.isPaused && to.bufferedAmount <= maxWaitingBytes) from.resume();
  };
  from.on('message', (data, isBinary) => {
    if (!rate.take()) {
      return closeBoth(closeCodes.policy, `more than ${framesPerSecond} frames in a second`);
    }
    if (to.readyState !== to.OPEN) return;
    to.send(data, { binary: isBinary }, resume);
    if (to.bufferedAmount > maxWaitingBytes) from.pause();
    alive();
    seen(true);
  });
  for (const kind of ['ping', 'pong'] as const) {
    from.on(kind, (data) => {
      if (to.readyState === to.OPEN) to[kind](data);
      alive();
      seen(false);
    });
  }
  // The close that always follows tells the code, but not that it was our limit that was passed.
  from.on('error', (problem: NodeJS.ErrnoException) => {
    if (problem.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
      closeBoth(closeCodes.tooLarge, 'frame too large');
  });
}

/** Codes below 3000 that may not be sent stand for something that only this side has seen. */
function passClose(to: WebSocket, code: number, reason: Buffer, instead: number): void {
  if (code === 1005) return close(to, 1000, '');
  if (code === 1006 || code === 1015) return close(to, instead, '');
  close(to, code, reason.toString());
}

function close(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), goodbyeMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
