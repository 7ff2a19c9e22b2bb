/** Nothing leads out of a thread's folder. */
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { maxFileBytes, Workspace, WorkspaceRefusal } from '../../../src/agent/tools/workspace.ts';
import { temporaryFolder } from '../../support/servers.ts';

async function makeWorkspace(): Promise<{
  readonly outside: string;
  readonly root: string;
  readonly workspace: Workspace;
}> {
  const outside = await temporaryFolder();
  await writeFile(join(outside, 'secret.txt'), 'secret');
  const root = join(outside, 'thread');
  await mkdir(root);
  return { outside, root, workspace: new Workspace(root) };
}

describe('a workspace', () => {
  it('writes, replaces, reads and lists files, and makes the folders on the way, for its owner only', async () => {
    const root = join(await temporaryFolder(), 'not', 'there', 'yet');
    const workspace = new Workspace(root);

    await workspace.write('a/b/vpc.yaml', 'old', '1');
    await workspace.write('a/b/vpc.yaml', 'new: ✓', '2');

    expect(await workspace.read('a/b/vpc.yaml')).toBe('new: ✓');
    expect(await workspace.list()).toEqual([{ path: 'a/b/vpc.yaml', bytes: 8 }]);
    expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, 'a/b/vpc.yaml'))).mode & 0o777).toBe(0o600);
  });

  it.each([
    '../secret.txt',
    'a/../../secret.txt',
    '/etc/passwd',
    'C:\\x',
    '..\\secret.txt',
    '',
    '.',
    'a/..',
    'a\0b',
    'x'.repeat(300),
    `${'a/'.repeat(20)}b`,
    '..',
    './..',
    'a/./../../secret.txt',
  ])('refuses to read or write %j', async (path) => {
    const { workspace, outside } = await makeWorkspace();

    await expect(workspace.read(path)).rejects.toThrow(WorkspaceRefusal);
    await expect(workspace.write(path, 'x', '1')).rejects.toThrow(WorkspaceRefusal);
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  it('follows no link, neither to a file nor to a folder', async () => {
    const { workspace, outside, root } = await makeWorkspace();
    await symlink(join(outside, 'secret.txt'), join(root, 'file'));
    await symlink(outside, join(root, 'folder'));

    for (const path of ['file', 'folder/secret.txt']) {
      await expect(workspace.read(path)).rejects.toThrow(WorkspaceRefusal);
      await expect(workspace.write(path, 'x', '1')).rejects.toThrow(WorkspaceRefusal);
    }
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
    expect(await workspace.list()).toEqual([]);
  });

  it('opens nothing but files', async () => {
    const { workspace, root } = await makeWorkspace();
    await mkdir(join(root, 'folder'));

    await expect(workspace.read('folder')).rejects.toThrow(WorkspaceRefusal);
    await expect(workspace.write('folder', 'x', '1')).rejects.toThrow(WorkspaceRefusal);
    await expect(workspace.read('missing')).rejects.toThrow('does not exist');
  });

  it('refuses a socket, what is not text, and a file that is too large to be read', async () => {
    const { workspace, root } = await makeWorkspace();
    const socket = createServer().listen(join(root, 'socket'));
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    await writeFile(join(root, 'bytes'), Uint8Array.of(0xc3, 0x28));
    await writeFile(join(root, 'large'), 'x'.repeat(maxFileBytes + 1));

    for (const path of ['socket', 'bytes', 'large'])
      await expect(workspace.read(path)).rejects.toThrow(WorkspaceRefusal);
  });

  it('writes a name as long as names may be, and leaves nothing beside it', async () => {
    const { workspace, root } = await makeWorkspace();
    const name = '模'.repeat(85);

    await workspace.write(name, 'x', 'serial');

    expect(await readdir(root)).toEqual([name]);
  });

  it('lists the nearest files of a folder that holds too many, and none of what tools brought', async () => {
    const { workspace, root } = await makeWorkspace();
    for (const folder of ['deep/er', 'node_modules/x', '.git'])
      await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, 'node_modules/x/index.js'), '');
    await writeFile(join(root, '.git/config'), '');
    await writeFile(join(root, 'z.yaml'), '');
    await writeFile(join(root, 'notes.tmp'), '');
    for (let number = 0; number < 510; number += 1) await writeFile(join(root, `deep/er/${number}`), '');

    const paths = (await workspace.list()).map(({ path }) => path);

    expect(paths).toHaveLength(500);
    expect(paths).toEqual([...paths].sort());
    expect(paths).toEqual(expect.arrayContaining(['z.yaml', 'notes.tmp']));
    expect(paths.filter((path) => /^(?:node_modules|\.git)/.test(path))).toEqual([]);
  });

  it('never reaches outside while a folder is swapped for a link again and again', async () => {
    const { workspace, outside, root } = await makeWorkspace();
    const elsewhere = join(outside, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'f'), 'secret');
    await mkdir(join(root, 'real'));
    await writeFile(join(root, 'real/f'), 'own');
    let isSwapping = true;
    const swapping = (async () => {
      while (isSwapping) {
        await rename(join(root, 'real'), join(root, 'a')).catch(() => undefined);
        await rename(join(root, 'a'), join(root, 'real')).catch(() => undefined);
        await symlink(elsewhere, join(root, 'a')).catch(() => undefined);
        await rm(join(root, 'a'), { force: true }).catch(() => undefined);
      }
    })();

    const seen = new Set<string>();
    for (let turn = 0; turn < 300; turn += 1)
      seen.add(await workspace.read('a/f').catch((error: unknown) => (error as Error).name));
    isSwapping = false;
    await swapping;

    expect(seen).not.toContain('secret');
  });

  it('takes a file of the largest size and not a byte more', async () => {
    const { workspace } = await makeWorkspace();

    expect(await workspace.write('a', 'x'.repeat(maxFileBytes), '1')).toBe(maxFileBytes);
    await expect(workspace.write('a', 'x'.repeat(maxFileBytes + 1), '2')).rejects.toThrow(WorkspaceRefusal);
    expect((await workspace.list()).map(({ bytes }) => bytes)).toEqual([maxFileBytes]);
  });

  it('never touches anything outside, whatever the path', async () => {
    const { workspace, outside, root } = await makeWorkspace();
    await symlink(outside, join(root, 'l'));
    const segment = fc.constantFrom('..', '.', '', 'a', 'l', 'secret.txt', '\0', '~', '%2e%2e', 'thread');

    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        async (segments, serial) => {
          await workspace.write(segments.join('/'), 'x', `s${serial}`).catch(() => undefined);

          expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
          expect((await lstat(join(root, 'l'))).isSymbolicLink()).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
