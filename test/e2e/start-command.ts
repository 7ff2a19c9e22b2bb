/** README's start command as a user runs it: `npm start`, a run by HTTP, SIGTERM. Exit code 0 when all of it held. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const port = 8_080;
const folder = mkdtempSync(join(tmpdir(), 'agentcore-agui-start-'));
const child = spawn('npm', ['start'], {
  cwd: root,
  env: { ...process.env, AGUI_CONFIG_DIR: folder },
  stdio: ['ignore', 'pipe', 'inherit'],
  // A process group of its own, to be signalled as a terminal does it: npm, its shell and the server together.
  detached: true,
});
let log = '';
child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
  log += chunk;
});

try {
  await until(() => fetch(`http://127.0.0.1:${port}/ping`).then((answer) => answer.ok));
  const answer = await fetch(`http://127.0.0.1:${port}/invocations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      threadId: 'thread-123',
      runId: 'run-456',
      messages: [{ id: 'msg-1', role: 'user', content: 'Create a VPC' }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    }),
  });
  const text = await answer.text();
  if (answer.status !== 200 || !text.includes('"type":"RUN_FINISHED"'))
    throw new Error(`unexpected stream: ${text}`);
  const closed = once(child.stdout, 'close');
  signalGroup('SIGTERM');
  await closed;
  if (!log.includes('"event":"stopped"')) throw new Error(`the server did not stop in order: ${log}`);
  console.log('npm start served a run on 0.0.0.0:8080 and stopped in order');
} finally {
  signalGroup('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

function signalGroup(signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid ?? 0), signal);
  } catch {
    // Nothing of the group is left.
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const started = Date.now(); Date.now() - started < 30_000; ) {
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the server did not answer /ping: ${log}`);
}
