/** What a program of others may write against the package; compiled, never run. */
import { type Runtime, readConfig, serve } from 'agentcore-agui';
import {
  AgentCoreAgent,
  AgentCoreClient,
  ClientError,
  type Credentials,
  type ReceivedEvent,
} from 'agentcore-agui/client';
import { presignWebSocketUrl } from 'agentcore-agui/client/presign';

const credentials: Credentials = { type: 'bearer', token: async () => 'token' };
const target = { kind: 'url', url: 'http://127.0.0.1:8080' } as const;

const agent = new AgentCoreAgent({ target, credentials, threadId: 'thread' });
await agent.runAgent(
  { runId: 'run' },
  {
    onRunFailed({ error }) {
      const status: number | undefined = error instanceof ClientError ? error.status : undefined;
      if (status === 409) throw error;
    },
  },
);

for await (const event of new AgentCoreClient({ target }).run({ threadId: 't', runId: 'r', messages: [] })) {
  const received: ReceivedEvent = event;
  // @ts-expect-error An event is no text.
  received satisfies string;
}

export const uses: readonly unknown[] = [presignWebSocketUrl, readConfig, serve];
export type Used = Runtime;
