/**
 * Keeps `new URL('./x', import.meta.url)` true after bundling: sources lie in folders, the bundle is flat, so every such
 * reference is rewritten to a file beside the bundle. A reference to a `.ts` file is a worker: it becomes an entry point
 * of its own. Anything else is data: it is copied, but for the project's package.json, which the image has one of its own
 * for. Other uses of `import.meta` that depend on where a source file lies
 * are refused, because they would only fail inside the image.
 */
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'esbuild';

const REFERENCE = /new URL\(\s*(['"])(\.{1,2}\/[^'"]*)\1\s*,\s*import\.meta\.url\s*,?\s*\)/g;
const UNSAFE = /import\.meta\.(?:dirname|filename)|new URL\(\s*[^'"\s][^)]*import\.meta\.url/;
const WORKER = /\.ts$/;

/** Built elsewhere and switched off in the image, so that its absence is no mistake. */
const NOT_SHIPPED = ['web/'];

export interface AssetReferences {
  /** Worker files by the name of their entry point, absolute paths. */
  readonly workers: ReadonlyMap<string, string>;
  /** Data files or folders by their path beside the bundle, absolute paths. */
  readonly data: ReadonlyMap<string, string>;
}

/** Every worker and data file that sources under `folder` point at. Throws with file and reference when one is missing. */
export function findAssetReferences(root: string, folder: string): AssetReferences {
  const workers = new Map<string, string>();
  const data = new Map<string, string>();
  for (const file of sourcesUnder(folder)) {
    const text = readFileSync(file, 'utf8');
    const unsafe = UNSAFE.exec(text);
    if (unsafe !== null) throw new Error(`${relative(root, file)}: '${unsafe[0]}' can't be bundled`);
    for (const [, , reference = ''] of text.matchAll(REFERENCE)) {
      const target = resolve(dirname(file), reference);
      if (isNotShipped(root, target)) continue;
      if (!existsSync(target)) throw new Error(`${relative(root, file)}: '${reference}' does not exist`);
      if (WORKER.test(target)) workers.set(entryName(root, target), target);
      else if (target !== join(root, 'package.json')) data.set(dataName(root, target), target);
    }
  }
  return { workers, data };
}

/** Copies the data files beside the bundle. */
export function copyData(references: AssetReferences, folder: string): void {
  for (const [name, source] of references.data) cpSync(source, join(folder, name), { recursive: true });
}

/** The esbuild side: rewrites the references in the sources under `folder`. */
export function assetUrlPlugin(root: string, folder: string): Plugin {
  return {
    name: 'asset-urls',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(folder + sep)) return undefined;
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const contents = text.replace(REFERENCE, (_all, _quote, reference: string) => {
          const target = resolve(dirname(path), reference);
          const slash = reference.endsWith('/') ? '/' : '';
          return `new URL('${bundledPath(root, target)}${slash}', import.meta.url)`;
        });
        return { contents, loader: 'ts' };
      });
    },
  };
}

function isNotShipped(root: string, target: string): boolean {
  const path = `${relative(root, target)}/`;
  return NOT_SHIPPED.some((prefix) => path.startsWith(prefix));
}

/** Where the target lies in the image, seen from the bundle. */
function bundledPath(root: string, target: string): string {
  if (target === join(root, 'package.json')) return '../package.json';
  return `./${WORKER.test(target) ? `${entryName(root, target)}.js` : dataName(root, target)}`;
}

const entryName = (root: string, target: string): string =>
  relative(join(root, 'src'), target).replace(WORKER, '').replaceAll(sep, '-');

const dataName = (root: string, target: string): string =>
  target.startsWith(join(root, 'src') + sep)
    ? `data/${relative(join(root, 'src'), target).replaceAll(sep, '-')}`
    : `data/${basename(target)}`;

function sourcesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}
