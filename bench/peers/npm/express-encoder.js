/** Express with the official encoder, one write per event: what AG-UI's own documentation shows. Waits for slow readers. */
import { once } from 'node:events';
import { EventEncoder } from '@ag-ui/encoder';
import express from 'express';

const app = express();
app.use(express.json({ limit: '100mb' }));
app.get('/ping', (_request, response) => response.json({ status: 'Healthy' }));
app.post('/invocations', async (request, response) => {
  const { threadId, runId, messages } = request.body;
  const encoder = new EventEncoder();
  response.writeHead(200, { 'Content-Type': encoder.getContentType() });
  for await (const event of agent(threadId, runId, messages)) {
    if (response.destroyed) return;
    if (!response.write(encoder.encodeSSE(event))) await once(response, 'drain');
  }
  response.end();
});

async function* agent(threadId, runId, messages) {
  const count = Number(/say (\d+)/.exec(messages.at(-1)?.content)?.[1] ?? 1);
  yield { type: 'RUN_STARTED', threadId, runId };
  yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
  for (let index = 0; index < count; index += 1)
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'twenty characters..' };
  yield { type: 'TEXT_MESSAGE_END', messageId: 'm' };
  yield { type: 'RUN_FINISHED', threadId, runId };
}

app.listen(Number(process.env['AGUI_PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
