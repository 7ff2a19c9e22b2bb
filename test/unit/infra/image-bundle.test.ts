import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assetUrlPlugin, findAssetReferences } from '../../../tools/image/asset-urls.ts';
import { closureOf, copyPackages, licenceTexts, packagesOf } from '../../../tools/image/shipped-packages.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'image-bundle-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function writePackage(path: string, manifest: object, more: Readonly<Record<string, string>> = {}): void {
  write(`${path}/package.json`, JSON.stringify(manifest));
  for (const [name, text] of Object.entries(more)) write(`${path}/${name}`, text);
}

const references = () => findAssetReferences(root, join(root, 'src'));

describe('references to files beside a source file', () => {
  it('become worker entry points for sources and copies for data', () => {
    write('src/agent/rules/rules-worker.ts', '');
    write('src/agent/data/table.json', '{}');
    write(
      'src/agent/rules/rules.ts',
      "new Worker(new URL('./rules-worker.ts', import.meta.url)); new URL('../data/', import.meta.url);",
    );
    expect([...references().workers]).toEqual([
      ['agent-rules-rules-worker', join(root, 'src/agent/rules/rules-worker.ts')],
    ]);
    expect([...references().data.keys()]).toEqual(['data/agent-data']);
  });

  it('are refused when nothing is there', () => {
    write('src/a.ts', "new URL('./gone.json', import.meta.url)");
    expect(references).toThrow("src/a.ts: './gone.json' does not exist");
  });

  it.each(['import.meta.dirname', 'import.meta.filename', 'new URL(name, import.meta.url)'])(
    'are refused in a form that only works where the source lies: %s',
    (code) => {
      write('src/a.ts', code);
      expect(references).toThrow("can't be bundled");
    },
  );

  it('are rewritten to where the image has them', () => {
    write('package.json', '{}');
    write('src/x/a-worker.ts', '');
    write('src/x/list.json', '[]');
    write(
      'src/x/a.ts',
      `new URL('./a-worker.ts', import.meta.url); new URL("./list.json", import.meta.url); new URL('../../package.json', import.meta.url);`,
    );
    expect(loaded('src/x/a.ts')).toBe(
      "new URL('./x-a-worker.js', import.meta.url); new URL('./data/x-list.json', import.meta.url); new URL('../package.json', import.meta.url);",
    );
  });

  /** What the plugin gives esbuild for a file. */
  function loaded(path: string): unknown {
    let load: (file: { path: string }) => { contents?: unknown } | undefined = () => undefined;
    const build = {
      onLoad: (_filter: object, callback: typeof load) => {
        load = callback;
      },
    };
    // Of esbuild's build object the plugin uses this one method.
    void assetUrlPlugin(root, join(root, 'src')).setup(
      build as unknown as Parameters<ReturnType<typeof assetUrlPlugin>['setup']>[0],
    );
    return load({ path: join(root, path) })?.contents;
  }
});

describe('packages in the image', () => {
  it('are found by the files that went into the bundle', () => {
    writePackage('node_modules/@a/b', { name: '@a/b', version: '1.0.0' });
    writePackage('node_modules/@a/b/node_modules/c', { name: 'c', version: '2.0.0' });
    expect(
      packagesOf(root, [
        'src/main.ts',
        'node_modules/@a/b/index.js',
        'node_modules/@a/b/node_modules/c/x/y.js',
      ]),
    ).toEqual([
      { name: '@a/b', version: '1.0.0', path: 'node_modules/@a/b' },
      { name: 'c', version: '2.0.0', path: 'node_modules/@a/b/node_modules/c' },
    ]);
  });

  it('that stay packages bring what they depend on, nested versions before hoisted ones', () => {
    writePackage('node_modules/a', { name: 'a', version: '1.0.0', dependencies: { c: '*' } });
    writePackage('node_modules/a/node_modules/c', { name: 'c', version: '2.0.0' });
    writePackage('node_modules/c', { name: 'c', version: '1.0.0' });
    expect(closureOf(root, ['a']).map(({ path }) => path)).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/c',
    ]);
    expect(() => closureOf(root, ['d'])).toThrow('d is not installed');
  });

  it('are refused with native code, which would be for the machine of the build', () => {
    writePackage('node_modules/a', { name: 'a', version: '1.0.0' }, { 'build/a.node': 'ELF' });
    expect(() => copyPackages(root, closureOf(root, ['a']), join(root, 'out'))).toThrow(
      'a has native code (build/a.node)',
    );
  });

  it('are copied to the same place, without nested packages that nobody asked for', () => {
    writePackage(
      'node_modules/a',
      { name: 'a', version: '1.0.0' },
      { 'db.json.gz': 'data', 'node_modules/z/index.js': '' },
    );
    copyPackages(root, closureOf(root, ['a']), join(root, 'out'));
    expect(readFileSync(join(root, 'out/node_modules/a/db.json.gz'), 'utf8')).toBe('data');
    expect(() => readFileSync(join(root, 'out/node_modules/a/node_modules/z/index.js'))).toThrow('ENOENT');
  });

  it('show their licence, and are refused without one', () => {
    writePackage(
      'node_modules/a',
      { name: 'a', version: '1.0.0', license: 'MIT' },
      { LICENSE: 'Permission is granted' },
    );
    expect(licenceTexts(root, closureOf(root, ['a']))).toBe('a@1.0.0 (MIT)\n\nPermission is granted');
    writePackage('node_modules/b', { name: 'b', version: '1.0.0' });
    expect(() => licenceTexts(root, closureOf(root, ['b']))).toThrow('b@1.0.0 declares no licence');
  });
});
