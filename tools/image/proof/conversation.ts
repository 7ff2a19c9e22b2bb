/** Speaks to the container as AgentCore does: POST /invocations with the session header, SSE back. */
const SESSION_HEADER = 'x-amzn-bedrock-agentcore-runtime-session-id';
const LIMIT_MS = 60_000;

export interface AguiEvent {
  readonly type: string;
  readonly code?: string;
  readonly outcome?: { readonly type?: string; readonly interrupts?: readonly OpenInterrupt[] };
}

export interface OpenInterrupt {
  readonly id: string;
  readonly reason: string;
  readonly responseSchema?: unknown;
}

export interface Turn {
  readonly session?: string;
  readonly thread: string;
  readonly run: string;
  readonly text: string;
  readonly resume?: readonly object[];
}

export interface Answer {
  readonly status: number;
  readonly events: readonly AguiEvent[];
}

export async function invoke(url: string, turn: Turn): Promise<Answer> {
  const response = await fetch(`${url}/invocations`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(turn.session === undefined ? {} : { [SESSION_HEADER]: turn.session }),
    },
    body: JSON.stringify({
      threadId: turn.thread,
      runId: turn.run,
      protocolVersion: '1.0',
      messages: turn.resume === undefined ? [{ id: `${turn.run}-m`, role: 'user', content: turn.text }] : [],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
      ...(turn.resume === undefined ? {} : { resume: turn.resume }),
    }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const body = await response.text();
  const events = body
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)) as AguiEvent);
  return { status: response.status, events };
}

/** The run's last event, with all types in the message when it is not what was expected. */
export function expectEnd(answer: Answer, type: string): AguiEvent {
  const last = answer.events.at(-1);
  if (answer.status !== 200 || last?.type !== type) {
    throw new Error(
      `expected ${type}, got ${answer.status}: ${JSON.stringify(answer.events).slice(0, 2000)}`,
    );
  }
  return last;
}
