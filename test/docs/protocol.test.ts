/** The examples of docs/protocol.md, replayed against a real server. `DOCS=write` writes the server's frames anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aborted, asksOnce, ScriptedKernel, submitted, textOf, turn } from '../support/scripted-kernel.ts';
import { startServer } from '../support/servers.ts';
import { openSocket } from '../support/sockets.ts';

const file = join(import.meta.dirname, '../../docs/protocol.md');
const blocks = /```jsonl\n([\s\S]*?)```/g;
/** Members whose value is new each time. */
const volatile = new Set(['executionId', 'requestId', 'expiresAt']);

function agent(): ScriptedKernel {
  return new ScriptedKernel(async function* (send, names, signal) {
    const text = send.message.parts.map((part) => part.text ?? '').join('');
    if (text === 'Say hello') return yield* turn('Hello')(send, names, signal);
    if (text !== 'Think') return yield* asksOnce(send, names, signal);
    yield [submitted(names), textOf(names, 'Let me think')];
    await aborted(signal);
  });
}

/** The frames that answer each message, with `…` for what is new each time. */
async function replay(messages: readonly string[]): Promise<readonly string[]> {
  const server = await startServer({ replace: { kernel: agent() } });
  const socket = await openSocket(`${server.url}/ws`);
  const lines: string[] = [];
  for (const message of messages) {
    const from = socket.frames.length;
    socket.send(message);
    await socket.until(() => socket.frames.slice(from).some(isLastFor(message)));
    lines.push(`→ ${message}`, ...socket.frames.slice(from).map((frame) => `← ${steady(frame)}`));
  }
  return lines;
}

/** A thinker is interrupted once it has begun to speak; all else is answered to its end. */
function isLastFor(message: string): (frame: string) => boolean {
  const last = message.includes('"Think"') ? /"TEXT_MESSAGE_CONTENT"/ : /"RUN_FINISHED"|"RUN_ERROR"|"pong"/;
  return (frame) => last.test(frame);
}

function steady(frame: string): string {
  return JSON.stringify(JSON.parse(frame), (key, value: unknown) => (volatile.has(key) ? '…' : value));
}

const messagesIn = (block: string): readonly string[] =>
  block
    .split('\n')
    .filter((line) => line.startsWith('→ '))
    .map((line) => line.slice(2));

describe('docs/protocol.md', () => {
  it('shows what a server answers, frame by frame', async () => {
    const text = readFileSync(file, 'utf8');
    const written = [...text.matchAll(blocks)].map(([, block = '']) => block);
    const real: string[] = [];
    for (const block of written) real.push(`${(await replay(messagesIn(block))).join('\n')}\n`);
    if (process.env['DOCS'] === 'write') {
      let index = 0;
      writeFileSync(
        file,
        text.replace(blocks, () => `\`\`\`jsonl\n${real[index++]}\`\`\``),
      );
      return;
    }

    expect(written).toHaveLength(3);
    expect(written).toEqual(real);
  });
});
