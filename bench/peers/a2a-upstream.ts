/** An A2A agent that says as many small texts as the message asks for, one HTTP chunk and one packet each, as fast as they are taken. */
import { createServer, type ServerResponse } from 'node:http';

const port = Number(process.env['AGUI_PORT']);
/** Time between two texts; without it they follow each other as fast as they are taken. */
const pauseMs = process.env['BENCH_PAUSE_MS'];

const server = createServer((request, response) => {
  if (request.url === '/ping') {
    response.end('{"status":"Healthy"}');
    return;
  }
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(card()));
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const call = JSON.parse(body) as {
      id: string;
      method: string;
      params: { message: { contextId?: string; parts: { text?: string }[] } };
    };
    if (call.method !== 'SendStreamingMessage') {
      const canceled = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_CANCELED' } };
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result: canceled }));
      return;
    }
    const count = Number(/\d+/.exec(call.params.message.parts[0]?.text ?? '')?.[0] ?? 10);
    void stream(response, JSON.stringify(call.id), call.params.message.contextId ?? 'c', count);
  });
});

async function stream(response: ServerResponse, id: string, contextId: string, count: number): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const item = (result: unknown): string =>
    `data: {"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}\n\n`;
  const update = (status: unknown): unknown => ({ statusUpdate: { taskId: 't', contextId, status } });
  response.write(item({ task: { id: 't', contextId, status: { state: 'TASK_STATE_SUBMITTED' } } }));
  const delta = item(
    update({
      state: 'TASK_STATE_WORKING',
      message: { messageId: 't-message', role: 'ROLE_AGENT', parts: [{ text: 'twenty characters..' }] },
    }),
  );
  for (let index = 0; index < count && !response.destroyed; index += 1) {
    if (!response.write(delta)) await new Promise<void>((resolve) => response.once('drain', resolve));
    // Like a model's tokens, each text leaves by itself: what is written in one go would be read in one go.
    await new Promise<void>((resolve) => {
      if (pauseMs === undefined) setImmediate(resolve);
      else setTimeout(resolve, Number(pauseMs));
    });
  }
  response.end(item(update({ state: 'TASK_STATE_COMPLETED' })));
}

function card(): unknown {
  const interfaces = [
    { url: `http://127.0.0.1:${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ];
  return {
    name: 'upstream',
    version: '1',
    supportedInterfaces: interfaces,
    capabilities: { streaming: true },
    skills: [],
  };
}

server.listen(port, '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
