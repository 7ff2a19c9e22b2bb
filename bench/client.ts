/** The measuring client: counts frames without reading them, because the client must not be what is measured. */
import { request } from 'node:http';

export interface Stream {
  readonly events: number;
  /** Milliseconds from the request to its first byte of a frame. */
  readonly firstMs: number;
}

/** Everything that an AG-UI input must hold; the text tells the agent how much to say. */
export function inputOf(text: string, more: object = {}): object {
  return {
    threadId: crypto.randomUUID(),
    runId: crypto.randomUUID(),
    messages: [{ id: 'm', role: 'user', content: text }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
    ...more,
  };
}

export function stream(url: string, input: object): Promise<Stream> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      // As the platform sends it; npm's bedrock-agentcore refuses streams without.
      'x-amzn-bedrock-agentcore-runtime-session-id': crypto.randomUUID(),
    };
    const outgoing = request(`${url}/invocations`, { method: 'POST', headers }, (incoming) => {
      let events = 0;
      let firstMs = 0;
      let last = 0;
      incoming.on('data', (chunk: Buffer) => {
        if (firstMs === 0) firstMs = performance.now() - started;
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
          if (at === 0 ? last === 10 : chunk[at - 1] === 10) events += 1;
        }
        last = chunk.at(-1) ?? 0;
      });
      incoming.on('end', () => resolve({ events, firstMs }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(input));
  });
}

/** Fails where fewer events came than were asked for: what is lost must not look fast. */
export async function say(url: string, count: number): Promise<Stream> {
  const result = await stream(url, inputOf(`say ${count}`));
  if (result.events < count) throw new Error(`${result.events} events of ${count}`);
  return result;
}
