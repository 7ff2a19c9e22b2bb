/** An A2A agent that says the time, five times a second, for as many seconds as the message asks for. */
import { createServer, type ServerResponse } from 'node:http';

const port = Number(process.env['AGUI_PORT']);
const perSecond = 5;
const writers = new Set<{
  readonly response: ServerResponse;
  readonly item: (result: unknown) => string;
  left: number;
  readonly contextId: string;
}>();

createServer((request, response) => {
  if (request.url === '/ping') {
    response.end('{"status":"Healthy"}');
    return;
  }
  if (request.method === 'GET') {
    const interfaces = [
      { url: `http://127.0.0.1:${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ];
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({
        name: 'paced',
        version: '1',
        supportedInterfaces: interfaces,
        capabilities: { streaming: true },
      }),
    );
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const call = JSON.parse(body) as {
      id: string;
      params: { message: { contextId: string; parts: { text?: string }[] } };
    };
    const item = (result: unknown): string =>
      `data: ${JSON.stringify({ jsonrpc: '2.0', id: call.id, result })}\n\n`;
    const { contextId, parts } = call.params.message;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(item({ task: { id: contextId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } } }));
    const left = Number(parts[0]?.text ?? 1) * perSecond;
    // Spread over the beat, so that not all speak at the same moment.
    setTimeout(() => writers.add({ response, item, left, contextId }), Math.random() * (1_000 / perSecond));
  });
}).listen(port, '127.0.0.1');

const slices = 20;
let slice = 0;
setInterval(
  () => {
    slice = (slice + 1) % slices;
    let index = 0;
    for (const writer of writers) {
      index += 1;
      if (index % slices !== slice) continue;
      const { response, item, contextId } = writer;
      writer.left -= 1;
      const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: `${Date.now()} ` }] };
      const state = writer.left > 0 ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED';
      response.write(item({ statusUpdate: { taskId: contextId, contextId, status: { state, message } } }));
      if (writer.left > 0) continue;
      response.end();
      writers.delete(writer);
    }
  },
  1_000 / perSecond / slices,
);
process.once('SIGTERM', () => process.exit(0));
