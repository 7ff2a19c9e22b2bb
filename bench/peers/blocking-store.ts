/**
 * A server that keeps a run as many do: it writes the thread's whole file and waits for the disk, on the event loop, when
 * the run is taken, when its task has a name and when it is over. Answers with the same few events.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const folder = join(process.env['AGUI_CONFIG_DIR'] ?? '.', 'threads');
mkdirSync(folder, { recursive: true });
const state = JSON.stringify({ padding: 'x'.repeat(1_500) });

function save(threadId: string): void {
  const path = join(folder, threadId);
  const file = openSync(`${path}.tmp`, 'w');
  writeSync(file, state);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
}

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
    const { threadId, runId } = JSON.parse(body) as { threadId: string; runId: string };
    save(threadId);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ type: 'RUN_STARTED', threadId, runId })}\n\n`);
    setTimeout(() => {
      save(threadId);
      save(threadId);
      response.end(`data: ${JSON.stringify({ type: 'RUN_FINISHED', threadId, runId })}\n\n`);
    }, 20);
  });
}).listen(Number(process.env['AGUI_PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
