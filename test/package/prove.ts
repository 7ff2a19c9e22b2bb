/**
 * The published package as others get it: built, packed, installed into a project of their own, compiled against, run on
 * Node 22 and 24, started by its command, and bundled for browsers without anything of Node. Needs npm and its registry.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const project = mkdtempSync(join(tmpdir(), 'agentcore-agui-consumer-'));
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  devDependencies: Record<string, string>;
};
const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';

function run(command: string, args: readonly string[], cwd = project): string {
  return execFileSync(command, [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function done(what: string): void {
  process.stdout.write(`ok: ${what}\n`);
}

try {
  run('npm', ['run', '--silent', 'build'], root);
  run('npm', ['pack', '--silent', '--pack-destination', project], root);
  const tarball = `agentcore-agui-${own.version}.tgz`;
  const listed = run('tar', ['-tzf', tarball]);
  assert.doesNotMatch(listed, /package\/(src|test|infra|\.ci|node_modules)\//);
  for (const needed of [
    'dist/index.js',
    'dist/client/entry.d.ts',
    'web/dist/index.html',
    'LICENSE',
    'README.md',
  ])
    assert.match(listed, new RegExp(`^package/${needed}$`, 'm'));
  done('the package holds what it needs and nothing else');

  cpSync(join(import.meta.dirname, 'consumer'), project, { recursive: true });
  const node22 = `node-linux-${architecture}`;
  const dependencies = {
    'agentcore-agui': `file:${tarball}`,
    typescript: own.devDependencies['typescript'],
    '@types/node': own.devDependencies['@types/node'],
    node22: `npm:${node22}@22`,
  };
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'c', private: true, type: 'module', dependencies }),
  );
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts']);
  done('it installs into a project of others');

  const strict = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--skipLibCheck',
    'false',
  ];
  run('npx', ['tsc', ...strict, 'typed.ts']);
  done('its types hold under the strict settings of others, their own library check included');

  const nodes = { 22: join(project, 'node_modules/node22/bin/node'), 24: process.execPath };
  for (const [version, binary] of Object.entries(nodes)) {
    assert.match(run(binary, ['--version']), new RegExp(`^v${version}\\.`));
    const said = run(binary, ['run.mjs']);
    assert.match(said, /^sse RUN_FINISHED$/m);
    assert.match(said, /^ws RUN_FINISHED$/m);
    assert.match(said, /^page 200 text\/html/m);
    done(`on Node ${version} it serves, shows its page, and its client talks by SSE and WebSocket`);
  }

  assert.match(
    run('npx', ['agentcore-agui', 'session-id', '--user', 'ann', '--thread', 't']),
    /^[\w-]{33,100}$/m,
  );
  done('its command runs');

  const { metafile } = await build({
    stdin: { contents: "export * from 'agentcore-agui/client';", resolveDir: project },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: 'out',
    logLevel: 'error',
    // Loaded only where somebody signs or runs on Node.
    external: ['@aws-sdk/*', '@smithy/*', 'ws', 'node:*'],
  });
  const entry = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === '<stdin>');
  const atOnce =
    entry?.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path) ?? [];
  assert.deepEqual(
    atOnce.filter((path) => /^(node:|@aws|@smithy|ws$)/.test(path)),
    [],
  );
  done('its client is bundled for browsers without anything of Node');
} finally {
  rmSync(project, { recursive: true, force: true });
}
