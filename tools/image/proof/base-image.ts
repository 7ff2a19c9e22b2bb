/**
 * Stand-ins for the public Node image, made from Debian's packages and npm's Node binaries: one for arm64, one for this
 * machine. They have what the Dockerfile relies on (Node 24, npm, a shell, user `node`), in the same places.
 */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { addNpmSettings, codename } from './machine.ts';
import { run } from './shell.ts';

const PACKAGES = [
  'base-files,base-passwd,libc6,libc-bin,libgcc-s1,libstdc++6,libatomic1,ca-certificates,dash,bash,coreutils',
  'sed,grep,tar,gzip,findutils,netbase,tzdata,passwd',
].join(',');

export type Architecture = 'arm64' | 'amd64';

/** Node's name for an architecture, as npm's packages spell it. */
const NODE_ARCH: Readonly<Record<Architecture, string>> = { arm64: 'arm64', amd64: 'x64' };

export function nativeArchitecture(): Architecture {
  return process.arch === 'arm64' ? 'arm64' : 'amd64';
}

/** Makes `localhost/node-<architecture>:24` and gives back its name. */
export function makeBaseImage(workdir: string, architecture: Architecture, nodeVersion: string): string {
  const root = join(workdir, `root-${architecture}`);
  const hooks = '/usr/share/mmdebstrap/hooks/merged-usr';
  const sources = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'].filter((path) =>
    existsSync(path),
  );
  // prettier-ignore
  run('mmdebstrap', [
    '--quiet',
    '--variant=extract',
    `--architectures=${architecture}`,
    `--hook-dir=${hooks}`,
    `--include=${PACKAGES}`,
    codename(),
    root,
    ...sources.slice(0, 1),
  ]);
  addUsers(root);
  addNode(workdir, root, architecture, nodeVersion);
  addNpmSettings(root);
  const image = `localhost/node-${architecture}:24`;
  const container = run('buildah', ['from', '--arch', architecture, 'scratch']).trim();
  run('buildah', ['add', '-q', container, root, '/']);
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  run('buildah', [
    'config',
    '--arch',
    architecture,
    '--os',
    'linux',
    '--cmd',
    '["node"]',
    '--env',
    path,
    container,
  ]);
  run('buildah', ['commit', '-q', '--rm', container, image]);
  rmSync(root, { recursive: true, force: true });
  return image;
}

function addUsers(root: string): void {
  for (const folder of ['bin', 'sbin', 'lib/node_modules/npm', 'etc', 'share']) {
    mkdirSync(join(root, 'usr/local', folder), { recursive: true });
  }
  for (const folder of ['root', 'proc', 'sys', 'dev', 'run', 'var/tmp', 'home/node', 'tmp']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  chmodSync(join(root, 'tmp'), 0o1777);
  chownSync(join(root, 'home/node'), 1000, 1000);
  for (const file of ['passwd', 'group']) {
    copyFileSync(join(root, `usr/share/base-passwd/${file}.master`), join(root, 'etc', file));
  }
  appendFileSync(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
  appendFileSync(join(root, 'etc/group'), 'node:x:1000:\n');
}

function addNode(workdir: string, root: string, architecture: Architecture, nodeVersion: string): void {
  const name = `node-linux-${NODE_ARCH[architecture]}`;
  const prefix = join(workdir, `npm-${architecture}`);
  mkdirSync(prefix, { recursive: true });
  // prettier-ignore
  run(
    'npm',
    [
      'install',
      '--prefix',
      prefix,
      '--no-save',
      '--force',
      '--ignore-scripts',
      '--no-package-lock',
      '--no-audit',
      '--os=linux',
      `--cpu=${NODE_ARCH[architecture]}`,
      `${name}@${nodeVersion}`,
    ],
    { cwd: prefix },
  );
  run('install', [
    '-m',
    '755',
    join(prefix, 'node_modules', name, 'bin/node'),
    join(root, 'usr/local/bin/node'),
  ]);
  const archive = run('npm', ['pack', '--silent', 'npm@11'], { cwd: prefix }).trim();
  const npm = join(root, 'usr/local/lib/node_modules/npm');
  run('tar', ['xzf', join(prefix, archive), '-C', npm, '--strip-components=1']);
  for (const tool of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${tool}-cli.js`, join(root, 'usr/local/bin', tool));
  }
  rmSync(prefix, { recursive: true, force: true });
}
