/** Writes one frame that was made before, as many times as the message asks for, and waits for slow readers: the limit. */
import { createServer } from 'node:http';

const frame =
  'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"assistant.000000000000.1","delta":"twenty characters.."}\n\n';

createServer((request, response) => {
  if (request.url === '/ping') {
    response.end('{"status":"Healthy"}');
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const input = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] };
    const count = Number(/say (\d+)/.exec(input.messages.at(-1)?.content ?? '')?.[1] ?? 1);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (let index = 0; index < count && !response.destroyed; index += 1) {
      if (!response.write(frame)) await new Promise<void>((resolve) => response.once('drain', resolve));
    }
    response.end('data: {"type":"RUN_FINISHED"}\n\n');
  });
}).listen(Number(process.env['AGUI_PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
