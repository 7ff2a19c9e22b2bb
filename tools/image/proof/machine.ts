/**
 * Makes the machine ready for the proof, or says in one line why it can't: Debian or Ubuntu on x86-64 or arm64, root,
 * packages from apt's own sources, arm64 emulation through binfmt, container storage of its own under `workdir`.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, isInstalled, run } from './shell.ts';

const TOOLS: Readonly<Record<string, string>> = {
  buildah: 'buildah',
  podman: 'podman',
  runc: 'runc',
  skopeo: 'skopeo',
  mmdebstrap: 'mmdebstrap',
  file: 'file',
  'docker-registry': 'docker-registry',
  'update-binfmts': 'binfmt-support',
  'qemu-aarch64-static': 'qemu-user-static',
};

/** Thrown when this machine can't do the proof, which is no failure of the image. */
export class CannotProve extends Error {}

export function prepareMachine(workdir: string): void {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version'))
    throw new CannotProve('needs Debian or Ubuntu');
  if (process.getuid?.() !== 0) throw new CannotProve('needs root (mounts and foreign file systems)');
  installTools();
  if (process.arch !== 'arm64') enableEmulation();
  const storage = join(workdir, 'storage.conf');
  writeFileSync(
    storage,
    `[storage]\ndriver="overlay"\ngraphroot="${workdir}/store"\nrunroot="${workdir}/run"\n`,
  );
  process.env['CONTAINERS_STORAGE_CONF'] = storage;
}

/** What apt calls this distribution's release. */
export function codename(): string {
  return /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'bookworm';
}

/** This machine's npm settings, so that an npm inside a test image reaches the registry the same way. */
export function addNpmSettings(rootfs: string): void {
  const known = JSON.parse(run('npm', ['config', 'list', '--json'])) as Readonly<Record<string, unknown>>;
  const lines = ['registry', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl']
    .filter((key) => known[key] !== null && known[key] !== undefined && known[key] !== '')
    .map((key) => `${key}=${String(known[key])}`);
  const certificates = 'etc/ssl/certs/ca-certificates.crt';
  if (existsSync(`/${certificates}`)) {
    run('cp', ['-L', `/${certificates}`, join(rootfs, certificates)]);
    lines.push(`cafile=/${certificates}`);
  }
  appendFileSync(join(rootfs, 'usr/local/etc/npmrc'), `${lines.join('\n')}\n`);
}

function installTools(): void {
  const missing = Object.keys(TOOLS).filter((program) => !isInstalled(program));
  if (missing.length === 0) return;
  const apt = { env: { DEBIAN_FRONTEND: 'noninteractive' }, limit: 180_000 };
  const updated = attempt('apt-get', ['update', '-qq'], apt);
  const wanted = missing.map((program) => TOOLS[program] ?? program);
  const installed = attempt('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted], apt);
  if (installed.code !== 0) {
    throw new CannotProve(
      `apt can't install ${wanted.join(', ')}: ${lastLine(installed.stderr || updated.stderr)}`,
    );
  }
}

function enableEmulation(): void {
  const registry = '/proc/sys/fs/binfmt_misc';
  if (attempt('mountpoint', ['-q', registry]).code !== 0) {
    const mounted = attempt('mount', ['-t', 'binfmt_misc', 'binfmt_misc', registry]);
    if (mounted.code !== 0)
      throw new CannotProve(`binfmt_misc can't be mounted: ${lastLine(mounted.stderr)}`);
  }
  const entry = join(registry, 'qemu-aarch64');
  if (!existsSync(entry)) attempt('update-binfmts', ['--enable', 'qemu-aarch64']);
  // F: the interpreter is opened at registration, so it works inside a container that does not hold it.
  if (!existsSync(entry) || !/^flags: .*F/m.test(readFileSync(entry, 'utf8'))) {
    throw new CannotProve('arm64 emulation (qemu-aarch64 with flag F) is not registered');
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
