import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { scratchFolder } from './support/scratch.ts';
import { type Reply, StandIns, shell } from './support/stand-in.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const HASH = 'c0ffee'.repeat(6);
const DIGEST = `sha256:${'d'.repeat(64)}`;
const BASE_DIGEST = `public.ecr.aws/docker/library/node@sha256:${'b'.repeat(64)}`;
const REGISTRY = '111122223333.dkr.ecr.us-east-1.amazonaws.com';

interface Buildspec {
  readonly env: { readonly variables: Record<string, string>; readonly 'exported-variables': string[] };
  readonly phases: Readonly<Record<string, { readonly 'on-failure': string; readonly commands?: string[] }>>;
  readonly artifacts: { readonly files: string[] };
}

const buildspec = parse(readFileSync(join(ROOT, 'buildspec.yml'), 'utf8')) as Buildspec;

/** The account as far as a build sees it, and what goes wrong in it. */
interface World {
  published: boolean;
  machine: string;
  platform: string;
  describe?: Reply;
  push?: Reply;
  build?: Reply;
  tests?: Reply;
  healthyAfter: number;
}

describe('the build', () => {
  let folder: string;
  let world: World;
  let standIns: StandIns;

  beforeEach(async () => {
    folder = scratchFolder();
    mkdirSync(join(folder, 'tools'));
    cpSync(join(ROOT, 'tools/image'), join(folder, 'tools/image'), { recursive: true });
    world = { published: false, machine: 'aarch64', platform: 'linux/arm64', healthyAfter: 0 };
    standIns = await StandIns.start(join(folder, 'bin'), ['aws', 'docker', 'npm', 'uname'], answer);
  });

  afterEach(() => {
    standIns.close();
    rmSync(folder, { recursive: true });
  });

  function answer(program: string, args: readonly string[]): Reply | undefined {
    const line = args.join(' ');
    if (program === 'uname') return { stdout: `${world.machine}\n` };
    if (program === 'npm') return line === 'test' ? world.tests : undefined;
    if (program === 'aws') return aws(line);
    if (line.startsWith('image inspect --format {{index')) return { stdout: `${BASE_DIGEST}\n` };
    if (line.startsWith('image inspect --format {{.Os}}')) return { stdout: `${world.platform}\n` };
    if (line.startsWith('run --detach') || args[0] === 'create') return { stdout: 'container-1\n' };
    if (args[0] === 'build') return world.build;
    if (args[0] === 'exec') return world.healthyAfter-- > 0 ? { code: 1 } : undefined;
    if (args[0] !== 'push') return undefined;
    if (world.push === undefined) world.published = true;
    return world.push;
  }

  function aws(line: string): Reply {
    if (!line.startsWith('ecr describe-images')) return { stdout: 'password\n' };
    if (world.describe !== undefined) return world.describe;
    if (world.published) return { stdout: `${DIGEST}\n` };
    return { code: 254, stderr: 'An error occurred (ImageNotFoundException) when calling DescribeImages\n' };
  }

  /** As CodeBuild does: one shell, phases in order, a failing command ends its phase, ABORT ends the build. */
  function runPhases(more: Record<string, string> = {}): Promise<Required<Reply>> {
    const commands = Object.values(buildspec.phases).flatMap(({ commands: list = [] }) => list);
    const script = [
      ...commands.map((command) => `${command} || exit 1`),
      'echo "exported $IMAGE_DIGEST $IMAGE_URI"',
    ];
    return shell(script.join('\n'), folder, {
      ...standIns.environment(),
      ...buildspec.env.variables,
      REGISTRY,
      REPOSITORY: 'agentcore-agui',
      SOURCE_HASH: HASH,
      CHECK_PAUSE_S: '0',
      ...more,
    });
  }

  const called = (part: string): string[] => standIns.calls.filter((call) => call.includes(part));

  it('tests, builds on a pinned base, checks, pushes and exports the digest of the repository', async () => {
    const { code, stdout, stderr } = await runPhases();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`exported ${DIGEST} ${REGISTRY}/agentcore-agui@${DIGEST}`);
    const order = [
      'npm test',
      'docker pull',
      'docker build',
      '{{.Os}}/{{.Architecture}}',
      'native-files.ts',
      'docker exec',
      'docker push',
      'docker cp',
    ];
    const places = order.map((part) => standIns.calls.findIndex((call) => call.includes(part)));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(called('docker build')[0]).toContain(
      `--platform linux/arm64 --file Dockerfile.arm64 --build-arg BASE_IMAGE=${BASE_DIGEST}`,
    );
    expect(called('docker login')).toEqual([
      `docker login --username AWS --password-stdin ${REGISTRY} password`,
    ]);
    expect(called('docker build')[0]).toContain(`--tag ${REGISTRY}/agentcore-agui:${HASH}`);
  });

  it('neither tests nor builds nor pushes again when the source is published already', async () => {
    world.published = true;
    const { code, stdout } = await runPhases();
    expect(code).toBe(0);
    expect(stdout).toContain(`exported ${DIGEST}`);
    expect([...called('npm'), ...called('docker build'), ...called('docker push')]).toEqual([]);
  });

  it('takes the digest of another build that pushed the same source first', async () => {
    world.push = { code: 1, stderr: 'tag invalid: already exists\n' };
    const twin = runPhases();
    await expect.poll(() => called('docker build').length).toBe(1);
    world.published = true;
    expect((await twin).stdout).toContain(`exported ${DIGEST}`);
  });

  it('pushes nothing when the tests fail', async () => {
    world.tests = { code: 1, stderr: 'one test failed\n' };
    expect((await runPhases()).code).toBe(1);
    expect([...called('docker build'), ...called('docker push')]).toEqual([]);
  });

  it.each<[string, Partial<World>, string]>([
    ['the build fails', { build: { code: 1, stderr: 'no space left\n' } }, 'no space left'],
    [
      'the image is for another processor',
      { platform: 'linux/amd64' },
      'the image is linux/amd64, not linux/arm64',
    ],
    ['the container never gets healthy', { healthyAfter: 1000 }, 'does not become healthy'],
  ])('pushes nothing when %s', async (_what, change, said) => {
    Object.assign(world, change);
    const { code, stderr } = await runPhases();
    expect(code).toBe(1);
    expect(stderr).toContain(said);
    expect(called('docker push')).toEqual([]);
  });

  it('waits for a container that starts slowly', async () => {
    world.healthyAfter = 3;
    expect((await runPhases()).code).toBe(0);
    expect(called('docker exec')).toHaveLength(4);
  });

  it.each<[string, Partial<World>, Record<string, string>, string]>([
    ['the machine is not arm64', { machine: 'x86_64' }, {}, 'must be of type ARM_CONTAINER'],
    ['the base is not from ECR', {}, { BASE_IMAGE: 'node:24' }, "BASE_IMAGE 'node:24' is not from ECR"],
    ['the tag would be no hash', {}, { SOURCE_HASH: 'latest' }, "SOURCE_HASH 'latest' is no hash"],
    [
      'the repository can not be read',
      { describe: { code: 254, stderr: 'AccessDeniedException\n' } },
      {},
      'AccessDeniedException',
    ],
  ])('stops at once when %s', async (_what, change, variables, said) => {
    Object.assign(world, change);
    const { code, stderr } = await runPhases(variables);
    expect(code).toBe(1);
    expect(stderr).toContain(said);
    expect([...called('npm'), ...called('docker build')]).toEqual([]);
  });

  it('fails when the push is refused and nobody else pushed', async () => {
    world.push = { code: 1, stderr: 'denied\n' };
    const { code, stderr } = await runPhases();
    expect(code).toBe(1);
    expect(stderr).toContain('is not in the repository');
  });
});

describe('buildspec.yml', () => {
  it('ends the build at the first phase that fails and pushes inside the build phase', () => {
    expect(Object.values(buildspec.phases).map((phase) => phase['on-failure'])).toEqual([
      'ABORT',
      'ABORT',
      'ABORT',
    ]);
    expect(Object.keys(buildspec.phases)).toEqual(['install', 'pre_build', 'build']);
    expect(buildspec.env['exported-variables']).toContain('IMAGE_DIGEST');
    expect(buildspec.artifacts.files).toContain('build/sbom.cdx.json');
  });

  it('takes nothing from Docker Hub', () => {
    const files = ['buildspec.yml', 'Dockerfile.arm64', 'tools/image/codebuild.sh'].map((name) =>
      readFileSync(join(ROOT, name), 'utf8'),
    );
    expect(files.join('\n')).not.toMatch(/docker\.io|# syntax=/);
    expect(buildspec.env.variables['BASE_IMAGE']).toMatch(/^public\.ecr\.aws\//);
  });

  const shellcheck = spawnSync('shellcheck', ['--version']).status === 0;
  if (!shellcheck) console.warn('SKIPPED: shellcheck is not here; the build’s shell was NOT linted');

  it.skipIf(!shellcheck)('holds shell that shellcheck has nothing to say about', () => {
    const commands = Object.values(buildspec.phases).flatMap(({ commands: list = [] }) => list);
    const inline = spawnSync('shellcheck', ['--shell=bash', '--exclude=SC1091', '-'], {
      input: `${commands.join('\n')}\n`,
      encoding: 'utf8',
    });
    const script = spawnSync('shellcheck', [join(ROOT, 'tools/image/codebuild.sh')], { encoding: 'utf8' });
    expect(inline.stdout + script.stdout).toBe('');
  });
});
