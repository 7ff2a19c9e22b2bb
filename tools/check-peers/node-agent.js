/** An echo agent on the npm package's app, with an AG-UI handler. The port is the only argument. */
import { setTimeout as pause } from 'node:timers/promises';
import { BedrockAgentCoreApp } from 'bedrock-agentcore/runtime';

async function* agent({ threadId, runId, messages }) {
  const said = messages.at(-1)?.content ?? '';
  const messageId = crypto.randomUUID();
  yield { type: 'RUN_STARTED', threadId, runId };
  if (said === 'Please fail') throw new TypeError('the agent failed on purpose');
  await pause(500);
  yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
  yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: `You said: ${said}` };
  yield { type: 'TEXT_MESSAGE_END', messageId };
  yield { type: 'RUN_FINISHED', threadId, runId };
}

const app = new BedrockAgentCoreApp({
  invocationHandler: {
    async *process(input) {
      for await (const event of agent(input)) yield { data: event };
    },
  },
  websocketHandler(socket) {
    socket.on('message', async (text) => {
      try {
        for await (const event of agent(JSON.parse(text.toString()))) socket.send(JSON.stringify(event));
      } catch {
        socket.close(1003);
      }
    });
  },
  config: { logging: { enabled: false } },
});

app.run({ port: Number(process.argv[2]) });
