/** Our server around an agent in the same process that says as many small texts as the message asks for. */
import { createServer } from '../../src/index.ts';

const server = await createServer({
  async *agent({ text }) {
    const count = Number(/say (\d+)/.exec(text)?.[1] ?? 1);
    for (let index = 0; index < count; index += 1) yield 'twenty characters..';
  },
});
process.once('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});
