/** An agent of one's own in ten lines: `node examples/own-agent/main.ts`, then `agentcore-agui chat`. */
import { createServer } from '../../src/index.ts';

await createServer({
  async *agent({ text, history }) {
    yield { kind: 'thinking', text: 'Counting words.' };
    const words = text.split(/\s+/).filter(Boolean).length;
    yield `You said ${words} words`;
    yield history.length === 0 ? '.' : `, after ${history.length / 2} turns.`;
  },
});
