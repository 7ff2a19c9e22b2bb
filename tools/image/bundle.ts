/**
 * Builds what the image holds below /app: `node tools/image/bundle.ts OUT_DIR`.
 *
 *   OUT_DIR/dist/main.js, *-worker.js, chunks    the server and its workers, ESM, licence comments kept
 *   OUT_DIR/dist/healthcheck.js                  asks /ping
 *   OUT_DIR/dist/telemetry.js                    for `node --import`: traces and numbers where a collector is named
 *   OUT_DIR/node_modules/                        the few packages that read files of their own folder
 *   OUT_DIR/licenses/, OUT_DIR/sbom.cdx.json     exactly the packages that are in there
 *
 * Not minified: the gain is small once the compile cache is warm, and stack traces in the log stay readable.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { assetUrlPlugin, copyData, findAssetReferences } from './asset-urls.ts';
import { leanHttpPlugin } from './lean-http.ts';
import { closureOf, copyPackages, licenceTexts, packagesOf, sbomOf } from './shipped-packages.ts';

/** `@aws-cdk/aws-service-spec` reads its database from beside its own code, so it stays a package. */
const EXTERNAL = ['@aws-cdk/aws-service-spec', '@aws-cdk/service-spec-types'];

/** CommonJS inside an ES module: `require` for node's own modules, and the two names that CommonJS expects. */
const BANNER = [
  "import { createRequire as createRequireForBundle } from 'node:module';",
  'const require = createRequireForBundle(import.meta.url);',
].join('\n');

const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'src');
const target = process.argv[2];
if (target === undefined) {
  process.stderr.write('usage: node tools/image/bundle.ts OUT_DIR\n');
  process.exit(2);
}
await bundle(resolve(target));

async function bundle(out: string): Promise<void> {
  rmSync(join(out, 'dist'), { recursive: true, force: true });
  const references = findAssetReferences(root, source);
  const external = closureOf(root, EXTERNAL);
  const result = await build({
    absWorkingDir: root,
    entryPoints: {
      main: join(source, 'cli/main.ts'),
      telemetry: join(source, 'server/telemetry-preload.ts'),
      healthcheck: join(import.meta.dirname, 'healthcheck.ts'),
      ...Object.fromEntries(references.workers),
    },
    outdir: join(out, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: external.map(({ name }) => name),
    inject: [join(import.meta.dirname, 'commonjs-names.ts')],
    banner: { js: BANNER },
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
    plugins: [assetUrlPlugin(root, source), leanHttpPlugin],
  });
  copyData(references, join(out, 'dist'));
  copyPackages(root, external, out);
  const shipped = [...external, ...packagesOf(root, Object.keys(result.metafile.inputs))];
  mkdirSync(join(out, 'licenses'), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(out, 'licenses/LICENSE'));
  writeFileSync(join(out, 'licenses/THIRD-PARTY.txt'), `${licenceTexts(root, shipped)}\n`);
  writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(root, shipped), undefined, 1)}\n`);
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(imageManifest(), undefined, 2)}\n`);
  const bytes = Object.values(result.metafile.outputs).reduce((sum, file) => sum + file.bytes, 0);
  process.stdout.write(`${shipped.length} packages, ${(bytes / 1e6).toFixed(1)} MB of code in ${out}\n`);
}

/** Enough of package.json for node (module kind) and for who looks into the image (name, version, licence). */
function imageManifest(): object {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license: string;
  };
  return { name, version, license, private: true, type: 'module' };
}
