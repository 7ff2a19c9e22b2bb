/** A `/ws` client that keeps what it gets and lets a test wait for it. */
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { WireEvent } from './requests.ts';

export interface OpenSocket {
  readonly socket: WebSocket;
  readonly frames: readonly string[];
  readonly events: readonly WireEvent[];
  send(message: unknown): void;
  /** Resolves to the events so far when they satisfy the predicate; rejects when the socket closes first. */
  until(predicate: (events: readonly WireEvent[]) => boolean): Promise<readonly WireEvent[]>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export async function openSocket(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenSocket> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
  const frames: string[] = [];
  const events: WireEvent[] = [];
  const watchers = new Set<() => void>();
  let isClosed = false;
  const notify = (): void => {
    for (const watcher of watchers) watcher();
  };
  socket.on('message', (data) => {
    const text = data.toString();
    frames.push(text);
    events.push(JSON.parse(text) as WireEvent);
    notify();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => {
      isClosed = true;
      resolve({ code, reason: reason.toString() });
      notify();
    }),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  onTestFinished(() => socket.terminate());
  return {
    socket,
    frames,
    events,
    closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    until: (predicate) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (predicate(events)) resolve(events);
          else if (isClosed) reject(new Error(`the socket closed first: ${frames.at(-1)}`));
          else return;
          watchers.delete(look);
        };
        watchers.add(look);
        look();
      }),
  };
}

/** The refusal of an upgrade, as a plain HTTP answer. */
export function refusedUpgrade(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
    socket.once('open', () => reject(new Error('the upgrade was accepted')));
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    socket.once('error', () => undefined);
  });
}

export const hasEnded = (count: number) => (events: readonly WireEvent[]) =>
  events.filter(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR').length >= count;
