/** The client as a browser gets it. */
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';

const entry = join(import.meta.dirname, '../../../src/client/entry.ts');

async function bundle(use: string): Promise<Metafile> {
  const { metafile } = await build({
    stdin: {
      contents: `import { ${use} } from ${JSON.stringify(entry)}; console.log(${use});`,
      resolveDir: '.',
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    write: false,
    metafile: true,
    outdir: 'out',
    logLevel: 'silent',
  });
  return metafile;
}

/** What a page loads before anything is called. */
function loadedAtOnce({ outputs }: Metafile): {
  readonly bytes: number;
  readonly inputs: ReadonlySet<string>;
} {
  const first = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === '<stdin>') ?? '';
  const waiting = [first];
  const seen = new Set<string>();
  const inputs = new Set<string>();
  let bytes = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const output = outputs[path];
    if (output === undefined || seen.has(path)) continue;
    seen.add(path);
    bytes += output.bytes;
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs))
      if (bytesInOutput > 0) inputs.add(input);
    waiting.push(
      ...output.imports.filter(({ kind }) => kind === 'import-statement').map(({ path: to }) => to),
    );
  }
  return { bytes, inputs };
}

describe('the client in a browser', () => {
  it('needs no module of Node, and loads 40 KB at most before it is used', async () => {
    // A module of Node would fail the build, which is for browsers and has no stand-ins.
    const { bytes, inputs } = loadedAtOnce(await bundle('AgentCoreClient'));

    expect(bytes).toBeLessThan(40_000);
    expect([...inputs].filter((input) => /@aws-sdk|@smithy|node_modules\/ws\/|@ag-ui/.test(input))).toEqual(
      [],
    );
  });

  it('brings nothing of AWS or Node to AG-UI’s base class either', async () => {
    const { inputs } = loadedAtOnce(await bundle('AgentCoreAgent'));

    expect([...inputs].filter((input) => /@aws-sdk|@smithy|node_modules\/ws\//.test(input))).toEqual([]);
  });
});
