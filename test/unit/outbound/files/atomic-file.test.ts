import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AtomicFiles } from '../../../../src/outbound/files/atomic-file.ts';
import { temporaryFolder } from '../../../support/servers.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';

const count = 60;

async function replaceMany(disk: FaultyFileSystem, folder: string) {
  const files = new AtomicFiles(disk);
  await files.replace(join(folder, 'first.json'), '{}');
  disk.asked.length = 0;
  return Promise.allSettled(
    Array.from({ length: count }, async (_, index) => {
      await files.replace(join(folder, `file-${index}.json`), JSON.stringify({ index }));
      return disk.asked.length;
    }),
  );
}

describe('files that are replaced at the same time', () => {
  it('share syncs of their folder, and each is done only after one that began when it was in its place', async () => {
    const folder = await temporaryFolder();
    const disk = new FaultyFileSystem();

    const outcomes = await replaceMany(disk, folder);

    const syncs = disk.asked.flatMap(({ call, path }, at) =>
      call === 'sync' && path === folder ? [at] : [],
    );
    expect(syncs.length).toBeLessThan(count / 2);
    for (const [index, outcome] of outcomes.entries()) {
      const doneAt = outcome.status === 'fulfilled' ? outcome.value : 0;
      const renamedAt = disk.asked.findIndex(
        ({ call, path }) => call === 'rename' && path.includes(`.file-${index}.`),
      );
      expect(syncs.some((at) => renamedAt < at && at < doneAt)).toBe(true);
      expect(JSON.parse(await readFile(join(folder, `file-${index}.json`), 'utf8'))).toEqual({ index });
    }
  });

  it('all learn of a folder that can not be synced, and none of them is there afterwards', async () => {
    const folder = await temporaryFolder();
    const disk = new FaultyFileSystem();
    disk.verdict = ({ call, path, number }) =>
      call === 'sync' &&
      path === folder &&
      number > 1 &&
      disk.asked.some(({ path: other }) => other.includes('.file-'))
        ? 'EIO'
        : undefined;

    const outcomes = await replaceMany(disk, folder);

    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
    for (let index = 0; index < count; index += 1) {
      await expect(readFile(join(folder, `file-${index}.json`))).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });

  it('never have more than two files wait for the disk at once', async () => {
    const folder = await temporaryFolder();
    const disk = new FaultyFileSystem();
    let waiting = 0;
    let most = 0;
    const open = disk.open.bind(disk);
    disk.open = async (...args) => {
      const file = await open(...args);
      return {
        ...file,
        sync: async () => {
          waiting += 1;
          most = Math.max(most, waiting);
          await file.sync();
          waiting -= 1;
        },
      };
    };

    await replaceMany(disk, folder);

    expect(most).toBe(2);
  });
});
