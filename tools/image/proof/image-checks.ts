/**
 * What must be true of the finished image, read from its configuration and its files. Each check names what is wrong;
 * an empty list is a good image. The same checks run over images that were spoilt on purpose.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, run } from './shell.ts';

const MAX_LAYERS = 20;
const MAX_BYTES = 2e9;
const APP_USER = '1000:1000';
const WRITABLE = ['/workspace', '/var/lib/agentcore-agui'];

interface ImageConfig {
  readonly architecture: string;
  readonly os: string;
  readonly rootfs: { readonly diff_ids: readonly string[] };
  readonly config: {
    readonly User?: string;
    readonly Cmd?: readonly string[] | null;
    readonly Entrypoint?: readonly string[] | null;
    readonly Env?: readonly string[];
    readonly StopSignal?: string;
    readonly ExposedPorts?: Readonly<Record<string, unknown>>;
    readonly Volumes?: Readonly<Record<string, unknown>>;
    readonly Healthcheck?: { readonly Test?: readonly string[] };
  };
}

/** Everything that is wrong with the image of that name in the local store. */
export function faultsOf(image: string): string[] {
  const config = JSON.parse(
    run('skopeo', ['inspect', '--raw', '--config', `containers-storage:${image}`]),
  ) as ImageConfig;
  const mounted = run('podman', ['--runtime', 'runc', 'image', 'mount', image]).trim();
  try {
    return [...configFaults(config), ...architectureFaults(mounted), ...contentFaults(mounted)];
  } finally {
    attempt('podman', ['--runtime', 'runc', 'image', 'unmount', image]);
  }
}

/** Size on disk of all files, in bytes, and the number of layers. */
export function sizeOf(image: string): { readonly bytes: number; readonly layers: number } {
  const [about] = JSON.parse(run('podman', ['--runtime', 'runc', 'image', 'inspect', image])) as [
    { Size: number; RootFS: { Layers: string[] } },
  ];
  return { bytes: about.Size, layers: about.RootFS.Layers.length };
}

function configFaults({ architecture, os, rootfs, config }: ImageConfig): string[] {
  const command = [...(config.Entrypoint ?? []), ...(config.Cmd ?? [])];
  const environment = new Set(config.Env ?? []);
  const wanted = ['NODE_ENV=production', 'AGUI_HOST=0.0.0.0', 'AGUI_PORT=8080', 'AGUI_REQUIRE_SESSION=true'];
  return [
    ...(architecture === 'arm64' && os === 'linux' ? [] : [`platform is ${os}/${architecture}`]),
    ...(config.User === APP_USER ? [] : [`user is '${config.User ?? ''}', not the numeric ${APP_USER}`]),
    ...(command[0] === 'node' ? [] : [`PID 1 would be '${command[0] ?? ''}', not node`]),
    ...((config.StopSignal ?? 'SIGTERM') === 'SIGTERM' ? [] : [`stop signal is ${config.StopSignal}`]),
    ...('8080/tcp' in (config.ExposedPorts ?? {}) ? [] : ['port 8080 is not exposed']),
    ...(config.Healthcheck?.Test?.[0] === 'CMD' ? [] : ['there is no exec-form HEALTHCHECK']),
    ...WRITABLE.filter((path) => !(path in (config.Volumes ?? {}))).map(
      (path) => `${path} is no declared volume`,
    ),
    ...wanted.filter((one) => !environment.has(one)).map((one) => `environment lacks ${one}`),
    ...(rootfs.diff_ids.length <= MAX_LAYERS ? [] : [`${rootfs.diff_ids.length} layers`]),
  ];
}

function architectureFaults(root: string): string[] {
  const listing = run('sh', [
    '-c',
    `find "$0" -xdev -type f \\( -name '*.node' -o -name '*.so*' -o -perm /111 \\) -exec file -N {} + | grep ELF || true`,
    root,
  ]);
  const files = listing.split('\n').filter((line) => line !== '');
  const foreign = files.filter((line) => !line.includes('ARM aarch64'));
  return [
    ...(files.length > 0 ? [] : ['no native file found at all']),
    ...foreign.map((line) => `not arm64: ${line.replace(root, '')}`),
  ];
}

function contentFaults(root: string): string[] {
  const must = [
    'app/dist/main.js',
    'app/dist/telemetry.js',
    'app/dist/healthcheck.js',
    'app/licenses/LICENSE',
    'app/licenses/THIRD-PARTY.txt',
  ];
  const mustNot = [
    'usr/local/bin/npm',
    'usr/local/lib/node_modules',
    'app/node_modules/typescript',
    'app/src',
    'src',
  ];
  const writable = run('find', [
    join(root, 'app'),
    join(root, 'opt'),
    '(',
    '-perm',
    '/022',
    '-o',
    '-uid',
    '1000',
    ')',
    '!',
    '-type',
    'l',
  ]);
  return [
    ...must.filter((path) => !existsSync(join(root, path))).map((path) => `/${path} is missing`),
    ...mustNot.filter((path) => existsSync(join(root, path))).map((path) => `/${path} does not belong in it`),
    ...writable
      .split('\n')
      .filter((line) => line !== '')
      .map((path) => `the agent may write ${path.replace(root, '')}`),
    ...sbomFaults(join(root, 'app')),
    ...(existsSync(join(root, 'opt/compile-cache')) ? [] : ['there is no compile cache']),
    ...(Number(run('du', ['-sb', root]).split('\t')[0]) < MAX_BYTES
      ? []
      : ['larger than the platform takes']),
  ];
}

function sbomFaults(app: string): string[] {
  const path = join(app, 'sbom.cdx.json');
  if (!existsSync(path)) return ['there is no SBOM'];
  const bom = JSON.parse(readFileSync(path, 'utf8')) as {
    bomFormat?: string;
    components?: { name: string }[];
  };
  const names = (bom.components ?? []).map(({ name }) => name);
  return bom.bomFormat === 'CycloneDX' && names.includes('express')
    ? []
    : ['the SBOM does not name what is bundled'];
}
