/**
 * An agent that asks, waits for its client and shares a state. Where it yields a question, a permission or calls of the
 * client's tools, the run ends; with the answer it is called again, in this process or after a restart, and finds what it
 * kept. `node examples/own-agent/asking.ts`, then `agentcore-agui chat`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer, type OwnAgent } from '../../src/index.ts';

const agent: OwnAgent = async function* ({ text, answer, tools, cwd }) {
  if (answer === undefined) {
    yield 'A note it is. ';
    yield {
      kind: 'question',
      prompt: 'Under which name?',
      options: ['todo.txt', 'idea.txt'],
      keep: { text },
    };
  } else if (answer.kind === 'question') {
    const input = { path: answer.text, content: `${text}\n` };
    const editable = { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] };
    yield {
      kind: 'permission',
      name: 'write_note',
      input,
      prompt: `Write ${answer.text}?`,
      editable,
      keep: input,
    };
  } else if (answer.kind === 'permission') {
    if (!answer.isAllowed) return yield 'Then not.';
    const { path } = Object(answer.keep);
    // A name from outside: only its letters are used.
    const name =
      String(path)
        .replace(/[^a-z0-9.]/gi, '')
        .replace(/^\.+/, '') || 'note.txt';
    await mkdir(cwd, { recursive: true });
    await writeFile(join(cwd, name), String(answer.input.content), { flag: 'wx' });
    yield { kind: 'result', outcome: { ok: true, result: { written: name } } };
    yield { kind: 'state', state: { notes: [name] } };
    const canShow = tools.some((tool) => tool.name === 'show_note');
    if (canShow) yield { kind: 'client-tools', calls: [{ name: 'show_note', input: { name } }] };
    yield 'Written.';
  } else {
    yield `Written, and your page said: ${answer.results[0]?.error ?? answer.results[0]?.text}.`;
  }
};

await createServer({ agent });
