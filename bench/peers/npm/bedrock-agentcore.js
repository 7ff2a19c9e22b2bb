/** An AG-UI handler on the app of npm's `bedrock-agentcore`, as its documentation shows it. */
import { BedrockAgentCoreApp } from 'bedrock-agentcore/runtime';

async function* agent({ threadId, runId, messages }) {
  const count = Number(/say (\d+)/.exec(messages.at(-1)?.content)?.[1] ?? 1);
  yield { type: 'RUN_STARTED', threadId, runId };
  yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
  for (let index = 0; index < count; index += 1)
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'twenty characters..' };
  yield { type: 'TEXT_MESSAGE_END', messageId: 'm' };
  yield { type: 'RUN_FINISHED', threadId, runId };
}

const app = new BedrockAgentCoreApp({
  invocationHandler: {
    async *process(input) {
      for await (const event of agent(input)) yield { data: event };
    },
  },
  config: { logging: { enabled: false } },
});
app.run({ port: Number(process.env['AGUI_PORT']), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
