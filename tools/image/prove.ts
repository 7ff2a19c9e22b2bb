/**
 * Proves Dockerfile.arm64 on a machine without a container engine and without arm64 hardware: `npm run image:prove`.
 *
 * Builds it with buildah under qemu on a base of our own, checks platform, every native file, user and layers, runs it
 * without root, capabilities or a writable root, holds a conversation across a restart, stops it with SIGTERM, pushes it
 * to a loopback registry and reads it back. Images and containers that were spoilt on purpose must be refused.
 * Exit 0: proven, or not possible here (one loud line). Exit 1: the image is wrong. Latency is never judged: emulation
 * is about ten times slower than the hardware.
 *
 *   --context DIR   another build context than the repository
 *   --keep-log      leaves the build log in the temp folder and names it
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBaseImage, nativeArchitecture } from './proof/base-image.ts';
import { Container, removeVolume } from './proof/container.ts';
import { expectEnd, invoke, type OpenInterrupt } from './proof/conversation.ts';
import { faultsOf, sizeOf } from './proof/image-checks.ts';
import { startRegistry } from './proof/loopback-registry.ts';
import { CannotProve, prepareMachine } from './proof/machine.ts';
import { attempt, run } from './proof/shell.ts';

const LIMIT_MS = 10 * 60_000;
const IMAGE = 'localhost/agentcore-agui:proof';
const INTERRUPT_TEXT = process.env['IMAGE_PROVE_INTERRUPT_TEXT'] ?? 'Delete the file notes.txt';

const { values: options } = parseArgs({
  options: { context: { type: 'string' }, 'keep-log': { type: 'boolean', default: false } },
});
const context = resolve(options.context ?? join(import.meta.dirname, '../..'));
const workdir = mkdtempSync(join(tmpdir(), 'image-prove-'));
const started = Date.now();
const name = `agentcore-agui-${process.pid}`;
const volume = `${name}-state`;
const session = `proof-${randomUUID()}`;

// A hard end: whatever hangs, the caller's time box holds.
setTimeout(() => {
  say(`FAILED: not finished within ${LIMIT_MS / 60_000} minutes`);
  cleanUp();
  process.exit(1);
}, LIMIT_MS).unref();

try {
  prepareMachine(workdir);
  await prove();
  say('PROVEN');
} catch (error) {
  if (error instanceof CannotProve)
    say(`SKIPPED, the image was NOT proven on this machine: ${error.message}`);
  else {
    say(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
} finally {
  cleanUp();
}

async function prove(): Promise<void> {
  buildImage();
  checkImage();
  refuseSpoiltImages();
  await converse();
  await pushAndReadBack();
}

function buildImage(): void {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(context, 'tools/node24/package.json'), 'utf8'),
  ) as {
    optionalDependencies: Record<string, string>;
  };
  const version = (arch: string): string => optionalDependencies[`node-linux-${arch}`] ?? '24';
  const native = nativeArchitecture();
  const base = makeBaseImage(workdir, 'arm64', version('arm64'));
  const builder = native === 'arm64' ? base : makeBaseImage(workdir, native, version('x64'));
  say('base images made');
  const log = join(workdir, 'build.log');
  // prettier-ignore
  const built = attempt(
    'buildah',
    [
      'bud',
      '--isolation',
      'chroot',
      '--pull=false',
      '--platform',
      'linux/arm64',
      '--format',
      'docker',
      '--build-arg',
      `BUILDPLATFORM=linux/${native}`,
      '--build-arg',
      `BUILD_IMAGE=${builder}`,
      '--build-arg',
      `BASE_IMAGE=${base}`,
      '-f',
      join(context, 'Dockerfile.arm64'),
      '-t',
      IMAGE,
      context,
    ],
    { limit: LIMIT_MS - (Date.now() - started) },
  );
  writeFileSync(log, built.stdout + built.stderr);
  if (built.code !== 0) throw new Error(`the build failed:\n${(built.stdout + built.stderr).slice(-4000)}`);
  const { bytes, layers } = sizeOf(IMAGE);
  const added = bytes - sizeOf(base).bytes;
  say(`built: ${mb(bytes)} in ${layers} layers, of which ${mb(added)} on top of the base`);
}

function checkImage(): void {
  const faults = faultsOf(IMAGE);
  if (faults.length > 0) throw new Error(`the image is not as it should be:\n - ${faults.join('\n - ')}`);
  say('platform, every native file, user, layers, content: as they should be');
}

/** A check that can't fail proves nothing: each of these must be refused, and for its own reason. */
function refuseSpoiltImages(): void {
  const builder = `localhost/node-${nativeArchitecture()}:24`;
  const spoilt: readonly (readonly [what: string, expected: RegExp, change: (container: string) => void])[] =
    [
      ['platform amd64', /platform is linux\/amd64/, (c) => config(c, '--arch', 'amd64')],
      ['user root', /user is 'root'/, (c) => config(c, '--user', 'root')],
      ['user by name', /user is 'node'/, (c) => config(c, '--user', 'node')],
      [
        'a shell as PID 1',
        /PID 1 would be/,
        (c) => config(c, '--cmd', 'sh -c "node /app/dist/main.js serve"'),
      ],
      [
        'a writable program',
        /may write \/app/,
        (c) =>
          run('buildah', ['copy', '-q', '--chown', '1000:1000', c, join(context, 'LICENSE'), '/app/dist/']),
      ],
      ...(nativeArchitecture() === 'amd64'
        ? [
            [
              'an x86-64 binary',
              /not arm64/,
              (c: string) =>
                run('buildah', [
                  'copy',
                  '-q',
                  '--from',
                  builder,
                  c,
                  '/usr/local/bin/node',
                  '/app/extra.node',
                ]),
            ] as const,
          ]
        : []),
    ];
  for (const [what, expected, change] of spoilt) {
    const container = run('buildah', ['from', '--pull-never', '--platform', 'linux/arm64', IMAGE]).trim();
    change(container);
    run('buildah', ['commit', '-q', '--format', 'docker', '--rm', container, 'localhost/spoilt:proof']);
    const faults = faultsOf('localhost/spoilt:proof');
    if (!faults.some((fault) => expected.test(fault)))
      throw new Error(`an image with ${what} passed the checks`);
    run('podman', ['--runtime', 'runc', 'rmi', '-f', 'localhost/spoilt:proof']);
  }
  say(`${spoilt.length} spoilt images refused`);
}

async function converse(): Promise<void> {
  const port = await freePort();
  let container = await Container.start(IMAGE, name, port, volume);
  try {
    await checkRunning(container);
    const interrupts = await interruptedRun(container);
    const code = container.stop();
    if (code !== 0) throw new Error(`after SIGTERM the container left with ${code}, not 0`);
    say('SIGTERM: drained, exit 0');
    if (interrupts.length === 0) return;
    container = await Container.start(IMAGE, name, port, volume);
    await resumeAfterRestart(container, interrupts);
    container.stop();
  } catch (error) {
    say(`the container said:\n${container.logs()}`);
    throw error;
  } finally {
    container.remove();
  }
}

async function checkRunning(container: Container): Promise<void> {
  const ping = (await (await fetch(`${container.url}/ping`)).json()) as { status?: string };
  if (ping.status !== 'Healthy') throw new Error(`/ping says ${JSON.stringify(ping)}`);
  const machine = container.inside('uname', '-m');
  const user = container.inside('id', '-u');
  if (machine !== 'aarch64' || user !== '1000') throw new Error(`runs as uid ${user} on ${machine}`);
  const status = container.inside('cat', '/proc/1/status');
  if (!/^CapEff:\s*0+$/m.test(status) || !/^NoNewPrivs:\s*1$/m.test(status))
    throw new Error('it has privileges');
  if (container.healthcheck() !== 0) throw new Error('HEALTHCHECK fails on a healthy container');
  say('runs read-only without capabilities; /ping and HEALTHCHECK answer');
  expectEnd(
    await invoke(container.url, { session, thread: 'proof-1', run: 'run-1', text: 'Hello' }),
    'RUN_FINISHED',
  );
  const refused = await invoke(container.url, { thread: 'proof-1', run: 'run-2', text: 'Hello' });
  if (refused.status !== 400 || refused.events[0]?.code !== 'VALIDATION_ERROR') {
    throw new Error(`a call without session header was answered ${JSON.stringify(refused)}`);
  }
  say('one run by POST /invocations; refused without session header');
}

/** A run that stops to ask. Servers whose agent never asks are let through, loudly. */
async function interruptedRun(container: Container): Promise<readonly OpenInterrupt[]> {
  const answer = await invoke(container.url, {
    session,
    thread: 'proof-2',
    run: 'run-1',
    text: INTERRUPT_TEXT,
  });
  const { outcome } = expectEnd(answer, 'RUN_FINISHED');
  const interrupts = outcome?.type === 'interrupt' ? (outcome.interrupts ?? []) : [];
  if (interrupts.length === 0)
    say('skipped: interrupt and resume across a restart (the agent asked nothing)');
  else say(`interrupted: ${interrupts.map(({ reason }) => reason).join(', ')}`);
  return interrupts;
}

async function resumeAfterRestart(container: Container, interrupts: readonly OpenInterrupt[]): Promise<void> {
  const resume = interrupts.map(({ id }) => ({ interruptId: id, status: 'cancelled' }));
  const turn = { session, thread: 'proof-2', text: '', resume };
  expectEnd(await invoke(container.url, { ...turn, run: 'run-2' }), 'RUN_FINISHED');
  const again = await invoke(container.url, { ...turn, run: 'run-3' });
  if (again.events.at(-1)?.type !== 'RUN_ERROR') throw new Error('answers given twice were taken twice');
  say('resumed in a new container from the volume; a second answer is refused');
}

async function pushAndReadBack(): Promise<void> {
  const port = await freePort();
  const registry = await startRegistry(workdir, port);
  try {
    const target = `docker://127.0.0.1:${port}/agentcore-agui:proof`;
    run('skopeo', ['copy', '-q', '--dest-tls-verify=false', `containers-storage:${IMAGE}`, target]);
    const about = JSON.parse(run('skopeo', ['inspect', '--tls-verify=false', target])) as {
      Architecture: string;
    };
    if (about.Architecture !== 'arm64') throw new Error(`the registry holds ${about.Architecture}`);
    const missing = attempt('skopeo', ['inspect', '--tls-verify=false', target.replace(':proof', ':other')]);
    if (missing.code === 0) throw new Error('the registry answers for a tag that was never pushed');
    say('pushed to a loopback registry and read back as arm64');
  } finally {
    registry.kill();
  }
}

function config(container: string, ...change: readonly string[]): void {
  run('buildah', ['config', ...change, container]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

function cleanUp(): void {
  attempt('podman', ['--runtime', 'runc', 'rm', '-f', name]);
  removeVolume(volume);
  if (options['keep-log']) {
    const log = attempt('cp', [join(workdir, 'build.log'), join(tmpdir(), `${name}.log`)]);
    if (log.code === 0) say(`build log: ${join(tmpdir(), `${name}.log`)}`);
  }
  // Only ever our own storage: without it podman would empty the machine's.
  if (process.env['CONTAINERS_STORAGE_CONF']?.startsWith(workdir)) {
    attempt('podman', ['--runtime', 'runc', 'system', 'reset', '-f']);
  }
  rmSync(workdir, { recursive: true, force: true });
}

function say(text: string): void {
  process.stdout.write(`[image ${((Date.now() - started) / 1000).toFixed(0)}s] ${text}\n`);
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
