/**
 * Fills NODE_COMPILE_CACHE inside the image build: starts the server once as the image's user, waits until it answers,
 * lets it make one run so that what is loaded on demand is compiled too, and stops it as the platform would. The build
 * fails when the server does not start or does not leave with 0. Afterwards the cache belongs to root and is read-only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const UID = 1000;
const PORT = 8099;
const START_LIMIT_MS = 120_000;
const RUN_LIMIT_MS = 60_000;
const SESSION_HEADER = 'x-amzn-bedrock-agentcore-runtime-session-id';

const cache = process.env['NODE_COMPILE_CACHE'];
if (cache === undefined) throw new Error('NODE_COMPILE_CACHE is not set');
mkdirSync(cache, { recursive: true });
chownSync(cache, UID, UID);
const scratch = mkdtempSync(join(tmpdir(), 'warm-'));
chownSync(scratch, UID, UID);

const server = spawn(process.execPath, ['--import', '/app/dist/telemetry.js', '/app/dist/main.js', 'serve'], {
  uid: UID,
  gid: UID,
  cwd: scratch,
  stdio: 'inherit',
  env: {
    ...process.env,
    HOME: scratch,
    AGUI_HOST: '127.0.0.1',
    AGUI_PORT: String(PORT),
    AGUI_WORKSPACE_DIR: scratch,
    AGUI_CONFIG_DIR: scratch,
    // Nobody listens there: it has the telemetry SDK loaded, and so compiled.
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  },
});
await untilHealthy(server);
await oneRun();
server.kill('SIGTERM');
const [code] = await once(server, 'exit');
if (code !== 0) throw new Error(`the server left with ${code} after SIGTERM`);
rmSync(scratch, { recursive: true });
for (const name of readdirSync(cache, { recursive: true, encoding: 'utf8' }))
  lchownSync(join(cache, name), 0, 0);
chownSync(cache, 0, 0);

async function untilHealthy(child: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_LIMIT_MS; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} while starting`);
    const healthy = await fetch(`http://127.0.0.1:${PORT}/ping`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (healthy) return;
  }
  throw new Error(`no healthy /ping within ${START_LIMIT_MS / 1000} s`);
}

async function oneRun(): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${PORT}/invocations`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      [SESSION_HEADER]: 'w'.repeat(36),
    },
    body: JSON.stringify({
      threadId: 'warm-up',
      runId: 'warm-up',
      messages: [{ id: 'm1', role: 'user', content: 'Hello' }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    }),
    signal: AbortSignal.timeout(RUN_LIMIT_MS),
  });
  const events = (await answer.text()).split('\n').filter((line) => line.startsWith('data:')).length;
  if (!answer.ok) throw new Error(`the warm-up run was answered with ${answer.status}`);
  process.stdout.write(`warm-up run: ${events} events\n`);
}
