import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../../../src/outbound/kernel/line-reader.ts';
import { createMask } from '../../../../src/outbound/kernel/secret-mask.ts';

async function linesOf(
  chunks: readonly (string | Buffer)[],
  maxChars = 20,
  secret = 'not-in-here',
): Promise<string[]> {
  const lines: string[] = [];
  const output = Readable.from(chunks, { objectMode: false });
  readLines(output, { maxChars, mask: createMask([secret]) }, (line) => lines.push(line));
  await new Promise((resolve) => output.once('close', resolve));
  return lines;
}

describe('the lines of an output', () => {
  it('come whole, without blank ones, however the output is cut', async () => {
    expect(await linesOf(['on', 'e\ntw', 'o\r\n\n  \nthr', 'ee'])).toEqual(['one', 'two', 'three']);
    expect(await linesOf([Buffer.from('é✓\n').subarray(0, 3), Buffer.from('é✓\n').subarray(3)])).toEqual([
      'é✓',
    ]);
  });

  it('are cut at a greatest length, and the rest of them is not kept', async () => {
    const endless = Array.from({ length: 200 }, () => 'x'.repeat(1_000));

    expect(await linesOf([...endless, '\nnext\n'])).toEqual([`${'x'.repeat(20)}…`, 'next']);
  });

  it('hold no secret, not even the beginning of one at the cut', async () => {
    const secret = 'a-secret-of-some-length';

    expect(await linesOf([`token ${secret.slice(0, 9)}`, `${secret.slice(9)} end\n`], 100, secret)).toEqual([
      'token [secret] end',
    ]);
    expect(await linesOf([`${'x'.repeat(15)}${secret}\n`], 20, secret)).toEqual([`${'x'.repeat(15)}[secr…`]);
  });
});
