/** What the embedded agent remembers, on the disk. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileAgentMemory } from '../../../../src/outbound/files/agent-memory.ts';
import { temporaryFolder } from '../../../support/servers.ts';

async function makeMemory(): Promise<{ readonly state: string; readonly memory: FileAgentMemory }> {
  const state = join(await temporaryFolder(), 'state');
  return { state, memory: new FileAgentMemory(state) };
}

describe('the memory of an agent in files', () => {
  it('touches nothing before something is saved', async () => {
    const { state, memory } = await makeMemory();

    expect(await memory.load('context')).toBeUndefined();
    await expect(stat(state)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('finds a document again in another process, the newest of it, and keeps contexts apart', async () => {
    const { state, memory } = await makeMemory();

    await memory.save('a', { number: 1, text: 'é\u{1f600}' });
    await memory.save('b', { number: 2 });
    await memory.save('a', { number: 3 });

    const later = new FileAgentMemory(state);
    expect(await later.load('a')).toEqual({ number: 3 });
    expect(await later.load('b')).toEqual({ number: 2 });
  });

  it('keeps files for their owner only, under names that no context id can choose', async () => {
    const { state, memory } = await makeMemory();

    for (const id of ['../../escape', '/etc/passwd', 'a\0b', '', 'x'.repeat(2_000)])
      await memory.save(id, { id });

    const names = await readdir(join(state, 'agent'));
    expect(names).toHaveLength(5);
    for (const name of names) {
      expect(name).toMatch(/^[0-9a-f]{64}\.json$/);
      expect((await stat(join(state, 'agent', name))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(join(state, 'agent'))).mode & 0o777).toBe(0o700);
    expect(await memory.load('../../escape')).toEqual({ id: '../../escape' });
  });

  it('leaves the whole document behind after many saves', async () => {
    const { state, memory } = await makeMemory();
    for (let number = 0; number < 20; number += 1) await memory.save('a', { number });

    const [name = ''] = await readdir(join(state, 'agent'));

    expect(JSON.parse(await readFile(join(state, 'agent', name), 'utf8'))).toEqual({ number: 19 });
  });

  it.each(['[1]', '', '{"number":', 'null'])('takes %j for no document, and replaces it', async (text) => {
    const { state, memory } = await makeMemory();
    await memory.save('a', { number: 1 });
    const [name = ''] = await readdir(join(state, 'agent'));
    await writeFile(join(state, 'agent', name), text);

    expect(await memory.load('a')).toBeUndefined();
    await memory.save('a', { number: 2 });
    expect(await memory.load('a')).toEqual({ number: 2 });
  });
});
