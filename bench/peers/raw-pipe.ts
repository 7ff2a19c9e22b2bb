/** Passes an upstream stream on as it is: what a proxy costs that does nothing. */
import { createServer, request as send } from 'node:http';

const upstream = process.env['AGUI_KERNEL_URL'] ?? '';

createServer((request, response) => {
  if (request.url === '/ping') {
    response.end('{"status":"Healthy"}');
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const input = JSON.parse(body) as { messages: { content: string }[] };
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: input.messages[0]?.content }] };
    const call = { jsonrpc: '2.0', id: '1', method: 'SendStreamingMessage', params: { message } };
    const outgoing = send(
      upstream,
      { method: 'POST', headers: { 'Content-Type': 'application/json' } },
      (incoming) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        incoming.pipe(response);
      },
    );
    outgoing.end(JSON.stringify(call));
  });
}).listen(Number(process.env['AGUI_PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
