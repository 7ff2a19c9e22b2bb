/** Requests as a plain client makes them, and their answers as lists of events. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
}

export function call(url: string, { method = 'POST', headers = {}, body }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers: { 'content-type': 'application/json', ...headers } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The events of an SSE text; comments and ids are passed over. Throws when a frame is not exactly one JSON line. */
export function eventsOf(text: string): readonly WireEvent[] {
  return text
    .split('\n\n')
    .flatMap((frame) => frame.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => JSON.parse(line.slice('data: '.length)) as WireEvent);
}

let serial = 0;

/** A lawful input; every call has ids of its own. */
export function input(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  serial += 1;
  return {
    threadId: `thread-${process.pid}-${serial}`,
    runId: `run-${serial}`,
    state: {},
    messages: [{ id: `message-${serial}`, role: 'user', content: 'Create a VPC template' }],
    tools: [],
    context: [],
    forwardedProps: {},
    ...overrides,
  };
}

export async function run(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(url, { headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

export interface OpenRun {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Resolves when the text so far satisfies the predicate; rejects when the stream ends first. */
  until(predicate: (text: string) => boolean): Promise<string>;
  /** Resolves to the whole text when the server has ended the stream. */
  readonly ended: Promise<string>;
  /** Goes away, as a closed browser tab does; resolves when the connection is closed. */
  leave(): Promise<void>;
}

/** A run whose stream is read while it is open; resolves when its first event has arrived. */
export async function openRun(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenRun> {
  const outgoing = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
  let text = '';
  const watchers = new Set<() => void>();
  const notify = (): void => {
    for (const watcher of watchers) watcher();
  };
  incoming.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    notify();
  });
  const closed = new Promise<void>((resolve) => incoming.once('close', resolve));
  void closed.then(notify);
  const ended = new Promise<string>((resolve, reject) => {
    incoming.once('end', () => resolve(text));
    incoming.once('error', reject);
  });
  ended.catch(() => undefined);
  const until = (predicate: (text: string) => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (predicate(text)) resolve(text);
        else if (incoming.closed) reject(new Error(`the stream ended first: ${text.slice(-500)}`));
        else return;
        watchers.delete(look);
      };
      watchers.add(look);
      look();
    });
  await until((sofar) => sofar.includes('\n\n'));
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    until,
    ended,
    leave: () => {
      outgoing.destroy();
      return closed;
    },
  };
}
