/**
 * What the bundle really holds of other people's work: the npm packages whose files ended up in it, or beside it. From
 * that list come the licence texts and the SBOM, so that both speak of the image and not of the development tree.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** An installed package; `path` is its folder, relative to the project. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly path: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The packages that own the given input files (paths relative to `root`, as in esbuild's metafile). */
export function packagesOf(root: string, inputs: Iterable<string>): ShippedPackage[] {
  const found = new Map<string, ShippedPackage>();
  for (const input of inputs) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match?.[1] !== undefined) found.set(match[1], describe(root, match[1]));
  }
  return [...found.values()];
}

/** The named packages and all they depend on, as node would find them from the project's root. */
export function closureOf(root: string, names: readonly string[]): ShippedPackage[] {
  const found = new Map<string, ShippedPackage>();
  const visit = (name: string, from: string): void => {
    const path = locate(root, name, from);
    if (found.has(path)) return;
    found.set(path, describe(root, path));
    for (const next of Object.keys(manifest(root, path).dependencies ?? {})) visit(next, path);
  };
  for (const name of names) visit(name, '');
  return [...found.values()];
}

/** Copies packages with their place in the tree, so that node resolves them as it did at home. */
export function copyPackages(root: string, packages: readonly ShippedPackage[], target: string): void {
  for (const { name, path } of packages) {
    const native = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).find((file) =>
      file.endsWith('.node'),
    );
    if (native !== undefined)
      throw new Error(`${name} has native code (${native}): it needs an arm64 install`);
    cpSync(join(root, path), join(target, path), {
      recursive: true,
      filter: (source) => !relative(join(root, path), source).split('/').includes('node_modules'),
    });
  }
}

/** One text with the licence of every package; throws when a package says nothing about its licence. */
export function licenceTexts(root: string, packages: readonly ShippedPackage[]): string {
  return sorted(packages)
    .map(({ name, version, path }) => {
      const declared = manifest(root, path).license ?? '';
      const texts = readdirSync(join(root, path))
        .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
        .sort()
        .map((file) => readFileSync(join(root, path, file), 'utf8').trim());
      if (declared === '' && texts.length === 0) throw new Error(`${name}@${version} declares no licence`);
      return [`${name}@${version} (${declared || 'see text'})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

/**
 * npm's own CycloneDX document, cut down to the shipped packages; throws when one of them is missing from it.
 * Stamps that change from build to build are left out.
 */
export function sbomOf(root: string, packages: readonly ShippedPackage[]): object {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], { cwd: root, maxBuffer: 2 ** 26 });
  const all = JSON.parse(text.toString()) as Bom;
  const wanted = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = all.components.filter((part) => wanted.delete(`${part.name}@${part.version}`));
  if (wanted.size > 0) throw new Error(`not in npm's SBOM: ${[...wanted].join(', ')}`);
  const kept = new Set(components.map((part) => part['bom-ref']));
  const { timestamp: _timestamp, component, ...metadata } = all.metadata;
  const { serialNumber: _serialNumber, ...rest } = all;
  return {
    ...rest,
    // npm names the project after its folder.
    metadata: { ...metadata, component: { ...component, name: manifest(root, '').name } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) })),
  };
}

interface Bom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component?: object };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly 'bom-ref': string;
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

function locate(root: string, name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder === '.' ? '' : folder, 'node_modules', name);
    if (existsSync(join(root, path, 'package.json'))) return path;
    if (folder === '' || folder === '.')
      throw new Error(`${name} is not installed (wanted by '${from || 'the bundle'}')`);
  }
}

function describe(root: string, path: string): ShippedPackage {
  const { name, version } = manifest(root, path);
  if (name === undefined || version === undefined)
    throw new Error(`${path}/package.json has no name or version`);
  return { name, version, path };
}

const manifest = (root: string, path: string): Manifest =>
  JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest;

const sorted = (packages: readonly ShippedPackage[]): ShippedPackage[] =>
  [...packages].sort((a, b) => (a.path < b.path ? -1 : 1));
