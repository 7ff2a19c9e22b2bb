/**
 * The fake kernel as a process of its own: `node test/fake-kernel/main.ts --port N`. Takes its token from the environment
 * and does what it is told (`commands.ts`). Besides, `/crash` ends the process in the middle of the stream, and `/secret`
 * prints the token.
 *
 * Flags for its supervisor's tests: `--exit CODE` ends at once, `--ignore-sigterm`, `--no-health` (404 on /health),
 * `--grandchild` starts a process that outlives it unless it is stopped too, and prints its id.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { obeys } from './commands.ts';
import { FakeKernel } from './fake-kernel.ts';
import { type Script, says } from './turn.ts';

const { values: flags } = parseArgs({
  options: {
    port: { type: 'string' },
    exit: { type: 'string' },
    'ignore-sigterm': { type: 'boolean' },
    'no-health': { type: 'boolean' },
    grandchild: { type: 'boolean' },
  },
});
const token = process.env['IACCODE_A2A_HTTP_TOKEN'];

const script: Script = async (turn) => {
  switch (turn.text) {
    case '/crash':
      turn.say('About to crash');
      setImmediate(() => process.exit(7));
      return turn.cancelled;
    case '/secret':
      console.log(`the token is ${token}`);
      return says('Printed')(turn);
    default:
      return obeys(turn);
  }
};

if (flags.exit !== undefined) {
  console.error('exits at once');
  process.exit(Number(flags.exit));
}
if (flags['ignore-sigterm'] === true) process.on('SIGTERM', () => console.log('ignores SIGTERM'));
if (flags.grandchild === true) {
  const grandchild = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  console.log(`grandchild ${grandchild.pid}`);
}
const fake = await FakeKernel.start({ port: Number(flags.port ?? 0), script, token });
if (flags['no-health'] === true)
  fake.on('GET /health', (exchange) => exchange.json({ error: 'Not Found' }, 404));
console.log(`listening at ${fake.url}`);
