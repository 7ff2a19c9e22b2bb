/**
 * What the bundle and the compile cache are worth, on this machine's own processor: `npm run image:measure`. Compares
 * the contents of the image with a plain production install of the same source, in megabytes, files and milliseconds
 * from the start of the process to the first healthy /ping (median of nine). Numbers are for comparison with each other.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const STARTS = 9;
const root = resolve(import.meta.dirname, '../..');
const workdir = mkdtempSync(join(tmpdir(), 'image-measure-'));

try {
  const plain = plainInstall();
  const bundle = join(workdir, 'bundle');
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts'), bundle], { stdio: 'ignore' });
  const cache = join(workdir, 'cache');
  await startOnce(join(bundle, 'dist/main.js'), cache);
  await report('plain npm ci --omit=dev', plain, join(plain, 'src/cli/main.ts'));
  await report('bundle', bundle, join(bundle, 'dist/main.js'));
  await report('bundle + compile cache', bundle, join(bundle, 'dist/main.js'), cache);
} finally {
  rmSync(workdir, { recursive: true, force: true });
}

function plainInstall(): string {
  const folder = join(workdir, 'plain');
  mkdirSync(folder);
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'src', 'tools/node24/package.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  // Without optional packages: the Node binary that development brings along is not part of the comparison.
  execFileSync('npm', ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'ignore',
  });
  return folder;
}

async function report(label: string, folder: string, entry: string, cache?: string): Promise<void> {
  const times: number[] = [];
  for (let count = 0; count < STARTS; count += 1) times.push(await startOnce(entry, cache));
  const median = times.sort((a, b) => a - b)[Math.floor(STARTS / 2)] ?? Number.NaN;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((entry_) => entry_.isFile());
  const megabytes = files.reduce((sum, { size }) => sum + size, 0) / 1e6;
  process.stdout.write(
    `${label.padEnd(26)} ${megabytes.toFixed(1).padStart(7)} MB ${String(files.length).padStart(6)} files ${median.toFixed(0).padStart(5)} ms\n`,
  );
}

/** Milliseconds from start to the first healthy /ping; the server is stopped again. */
async function startOnce(entry: string, cache?: string): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const server = spawn(process.execPath, [entry, 'serve'], {
    cwd: workdir,
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      AGUI_HOST: '127.0.0.1',
      AGUI_PORT: String(port),
      AGUI_CONFIG_DIR: join(workdir, 'state'),
      ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
    },
  });
  await untilHealthy(server, port);
  const took = performance.now() - began;
  server.kill('SIGTERM');
  await once(server, 'exit');
  return took;
}

async function untilHealthy(server: ChildProcess, port: number): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end && server.exitCode === null; ) {
    const isHealthy = await fetch(`http://127.0.0.1:${port}/ping`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isHealthy) return;
  }
  server.kill('SIGKILL');
  throw new Error('the server did not become healthy');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
