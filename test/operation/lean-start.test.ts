/** What a start and a first run must not load: node's own fetch costs them more than any module of ours. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('the log', () => {
  it('writes a line without having node load its fetch', () => {
    const script = `
      import { createJsonLog } from './src/outbound/system/json-log.ts';
      import { Writable } from 'node:stream';
      let text = '';
      const stream = new Writable({ write(chunk, _encoding, done) { text += chunk; done(); } });
      createJsonLog('info', stream).child({ door: 'agentcore' }).info('something happened', { more: { count: 1 } });
      await new Promise((resolve) => setImmediate(resolve));
      console.log(JSON.stringify({ text, loaded: process.moduleLoadList.filter((name) => /undici/.test(name)) }));
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });

    const { text, loaded } = JSON.parse(output) as { text: string; loaded: string[] };
    expect(text).toContain('something happened');
    expect(loaded).toEqual([]);
  });
});
