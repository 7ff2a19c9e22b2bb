/** Writes as many events as the message asks for, serialised one by one: what most servers do. */
import { createServer } from 'node:http';

createServer((request, response) => {
  if (request.url === '/ping') {
    response.end('{"status":"Healthy"}');
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', async () => {
    const input = JSON.parse(body) as { messages: { content: string }[] };
    const count = Number(/\d+/.exec(input.messages[0]?.content ?? '')?.[0] ?? 10);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (let index = 0; index < count; index += 1) {
      const event = {
        type: 'TEXT_MESSAGE_CONTENT',
        messageId: 'assistant.000000000000.1',
        delta: 'twenty characters..',
      };
      if (!response.write(`data: ${JSON.stringify(event)}\n\n`)) {
        await new Promise<void>((resolve) => response.once('drain', resolve));
      }
    }
    response.end();
  });
}).listen(Number(process.env['AGUI_PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
