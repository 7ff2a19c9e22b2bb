/** Image archives in both layouts, made here by the same tool that reads them. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readImageArchive } from '../../../src/check/image-archive.ts';
import { runChecks } from '../../../src/check/run-checks.ts';

const good = {
  os: 'linux',
  architecture: 'arm64',
  config: {
    Entrypoint: ['node', 'main.js'],
    User: '10001',
    ExposedPorts: { '8080/tcp': {} },
    Env: ['PORT=8080'],
  },
};

async function archive(files: Readonly<Record<string, string>>, gzip = false): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agentcore-agui-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const path = join(folder, 'image.tar');
  await create({ file: path, cwd: folder, gzip }, Object.keys(files));
  return path;
}

const docker = (config: unknown = good): Record<string, string> => ({
  'manifest.json': JSON.stringify([{ Config: 'config.json', Layers: ['layer/layer.tar'] }]),
  'config.json': JSON.stringify(config),
  'layer/layer.tar': 'x'.repeat(5_000),
});

/** Blobs by their digest; returns the descriptor that points at the text. */
function blob(files: Record<string, string>, text: string): { readonly digest: string } {
  const hash = createHash('sha256').update(text).digest('hex');
  files[`blobs/sha256/${hash}`] = text;
  return { digest: `sha256:${hash}` };
}

function oci(...configs: readonly unknown[]): Record<string, string> {
  const files: Record<string, string> = { 'oci-layout': '{"imageLayoutVersion":"1.0.0"}' };
  const manifests = configs.map((config) => {
    const layers = [blob(files, 'y'.repeat(3_000))];
    return blob(files, JSON.stringify({ config: blob(files, JSON.stringify(config)), layers }));
  });
  const attestation = { ...blob(files, '{"config":{},"layers":[]}'), platform: { os: 'unknown' } };
  const inner = blob(files, JSON.stringify({ manifests: [...manifests, attestation] }));
  return { ...files, 'index.json': JSON.stringify({ manifests: [inner] }) };
}

async function findings(path: string): Promise<readonly string[]> {
  const { results } = await runChecks({ images: await readImageArchive(path) });
  return results.filter(({ outcome }) => outcome.kind === 'failed').map(({ id }) => id);
}

describe('a check of an image archive', () => {
  it('finds nothing in a good image, in the layout of Docker and of OCI, plain or gzipped', async () => {
    expect(await findings(await archive(docker()))).toEqual([]);
    expect(await findings(await archive(docker(), true))).toEqual([]);
    expect(await findings(await archive(oci(good)))).toEqual([]);
  });

  it('measures the layers', async () => {
    const [image] = await readImageArchive(await archive(docker()));

    expect(image?.layers).toEqual([5_000]);
    expect(image?.command).toEqual(['node', 'main.js']);
  });

  it('looks at the image for ARM64 where there are several', async () => {
    const path = await archive(oci({ ...good, architecture: 'amd64' }, good));

    expect((await readImageArchive(path)).map(({ architecture }) => architecture)).toEqual([
      'amd64',
      'arm64',
    ]);
    expect(await findings(path)).toEqual([]);
  });

  it.each([
    ['container.arm64', { ...good, architecture: 'amd64' }],
    ['image.command', { ...good, config: { ...good.config, Entrypoint: [] } }],
    [
      'image.exec-form',
      { ...good, config: { ...good.config, Entrypoint: ['/bin/sh', '-c', 'node main.js'] } },
    ],
    ['image.port', { ...good, config: { ...good.config, ExposedPorts: { '3000/tcp': {} } } }],
    ['image.port-setting', { ...good, config: { ...good.config, Env: ['PORT=3000'] } }],
    ['image.user', { ...good, config: { ...good.config, User: '' } }],
    ['image.secrets', { ...good, config: { ...good.config, Env: ['DB_PASSWORD=hunter2'] } }],
  ])('finds only %s in an image that breaks it', async (id, config) => {
    expect(await findings(await archive(docker(config)))).toEqual([id]);
  });

  it('never shows the value of a secret', async () => {
    const config = { ...good, config: { ...good.config, Env: ['API_KEY=hunter2'] } };
    const report = await runChecks({ images: await readImageArchive(await archive(docker(config))) });

    expect(JSON.stringify(report)).toContain('API_KEY');
    expect(JSON.stringify(report)).not.toContain('hunter2');
  });

  it('says what is wrong with something that is no image', async () => {
    await expect(readImageArchive(await archive({ 'readme.txt': 'hello' }))).rejects.toThrow(
      /holds no image/,
    );
    await expect(readImageArchive('/nowhere.tar')).rejects.toThrow(/can't read \/nowhere.tar .*ENOENT/);
  });
});
