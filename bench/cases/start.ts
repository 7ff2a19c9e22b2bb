/**
 * From spawn to the first 200 on /ping and to the first event of a first run, and the memory of an idle server: from
 * source, as the bundle that the image holds, and with its compile cache. The image itself is measured where it is
 * proven (`npm run image:prove`), because emulation says nothing about time.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../client.ts';
import { npmPeers, pythonPeers } from '../installed-peers.ts';
import { interleaved, type Measurement, type Sample } from '../measurement.ts';
import { nodeCommand, ours, type ServerCommand, startCommand } from '../processes.ts';

export async function measure(rounds = 7, withPeers = true): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'agentcore-agui-bench-bundle-'));
  try {
    execFileSync(process.execPath, ['tools/image/bundle.ts', folder], { stdio: 'ignore' });
    const bundle = nodeCommand(join(folder, 'dist/main.js'), 'serve');
    const cached = { NODE_COMPILE_CACHE: join(folder, 'cache') };
    await start(bundle, cached);
    const peers = Object.entries(withPeers ? { ...npmPeers(), ...pythonPeers() } : {}).map(
      ([name, command]) => [name, () => start(command)] as const,
    );
    return await interleaved('Start to first /ping and first event, and idle memory', rounds, {
      'bare node:http': () => start(nodeCommand('bench/peers/raw-frames.ts')),
      'agentcore-agui (source)': () => start(nodeCommand(...ours)),
      'agentcore-agui (bundle)': () => start(bundle),
      'agentcore-agui (bundle, compile cache)': () => start(bundle, cached),
      ...Object.fromEntries(peers),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(
  command: ServerCommand,
  environment: Readonly<Record<string, string>> = {},
): Promise<Sample> {
  const server = await startCommand(command, environment);
  try {
    const idle = server.residentMb();
    const { firstMs } = await say(server.url, 1);
    return { 'start ms': server.startMs, 'first event ms': server.startMs + firstMs, 'idle MB': idle };
  } finally {
    await server.stop();
  }
}
