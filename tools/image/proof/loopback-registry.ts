/** A registry on this machine's loopback, with its data below `workdir`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export async function startRegistry(workdir: string, port: number): Promise<ChildProcess> {
  const config = join(workdir, 'registry.yml');
  writeFileSync(
    config,
    `version: 0.1\nstorage: { filesystem: { rootdirectory: ${workdir}/registry } }\n` +
      `http: { addr: "127.0.0.1:${port}", secret: proof }\n`,
  );
  const registry = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  for (let tries = 0; tries < 100; tries += 1) {
    const up = await fetch(`http://127.0.0.1:${port}/v2/`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return registry;
    await sleep(100);
  }
  registry.kill();
  throw new Error('the loopback registry did not start');
}
