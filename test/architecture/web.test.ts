/** The chat page stands on the client library alone, and its logic knows neither React nor a browser. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'web/src');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
);

const arrows = files.flatMap((file) =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/(?:from |import\()'([^']+)'/g)].map(
    ([, target = '']) => ({
      file,
      target,
      path: target.startsWith('.') ? relative(root, resolve(source, dirname(file), target)) : target,
    }),
  ),
);

const isVocabulary = (path: string): boolean => /^src\/protocol\/(?:json|interrupt)\.ts$/.test(path);

describe('the chat page', () => {
  it('imports of this project only the client library and the words that it speaks', () => {
    const outside = arrows.filter(
      ({ path }) => path.startsWith('src/') && !path.startsWith('src/client/') && !isVocabulary(path),
    );

    expect(outside).toEqual([]);
  });

  it('lets imports go from what is seen to what happens to what is known', () => {
    const floors: Readonly<Record<string, readonly string[]>> = {
      model: ['model'],
      texts: ['texts'],
      runtime: ['runtime', 'model'],
      ui: ['ui', 'runtime', 'model', 'texts'],
    };
    const upward = arrows.filter(({ file, path }) => {
      const from = file.split('/')[0] ?? '';
      const to = /^web\/src\/([^/]+)\//.exec(path)?.[1];
      return to !== undefined && floors[from] !== undefined && !floors[from].includes(to);
    });

    expect(upward).toEqual([]);
  });

  it('keeps its logic free of React and of the browser', () => {
    const used = files
      .filter((file) => file.startsWith('model/'))
      .filter((file) =>
        /from 'react|\bdocument\.|\bwindow\.|\blocalStorage\b/.test(readFileSync(join(source, file), 'utf8')),
      );

    expect(used).toEqual([]);
  });

  it('never makes markup out of text', () => {
    const used = files.filter((file) =>
      /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|\beval\(|new Function/.test(
        readFileSync(join(source, file), 'utf8'),
      ),
    );

    expect(used).toEqual([]);
  });

  it('keeps files under 300 lines', () => {
    const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 301);

    expect(long).toEqual([]);
  });
});
