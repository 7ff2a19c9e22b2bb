/** Says the time five times a second on every event stream, for as many seconds as the message asks for: the least that streams cost. */
import { createServer, type ServerResponse } from 'node:http';

const perSecond = 5;
const slices = 20;
const speaking = new Map<ServerResponse, number>();

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
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    const left = Number(input.messages[0]?.content) * perSecond;
    setTimeout(() => speaking.set(response, left), Math.random() * (1_000 / perSecond));
    response.on('close', () => speaking.delete(response));
  });
}).listen(Number(process.env['AGUI_PORT']), '127.0.0.1');

let slice = 0;
setInterval(
  () => {
    slice = (slice + 1) % slices;
    let index = 0;
    for (const [response, left] of speaking) {
      index += 1;
      if (index % slices !== slice) continue;
      const event = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `${Date.now()} ` };
      response.write(`data: ${JSON.stringify(event)}\n\n`);
      if (left > 1) {
        speaking.set(response, left - 1);
      } else {
        response.end('data: {"type":"RUN_FINISHED"}\n\n');
        speaking.delete(response);
      }
    }
  },
  1_000 / perSecond / slices,
);
process.once('SIGTERM', () => process.exit(0));
