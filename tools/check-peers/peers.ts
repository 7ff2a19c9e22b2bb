/** The public peers: how each is installed into a folder of its own, and how its echo agent is started. */
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Peer {
  readonly name: string;
  /** Throws when a registry can't be had. */
  install(folder: string): void;
  command(folder: string, port: number): readonly [program: string, ...args: string[]];
}

const here = import.meta.dirname;
const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000 };

const npmVersion = '0.4.4';
const pypiVersions = ['bedrock-agentcore==1.25.0', 'ag-ui-protocol==1.0.0'];

export const peers: readonly Peer[] = [
  {
    name: `npm \`bedrock-agentcore\` ${npmVersion}`,
    install(folder) {
      writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
      copyFileSync(join(here, '../../.npmrc'), join(folder, '.npmrc'));
      const args = ['install', '--no-audit', '--no-fund', '-E', `bedrock-agentcore@${npmVersion}`];
      execFileSync('npm', args, { ...quiet, cwd: folder });
      // Its imports are found from where it stands.
      copyFileSync(join(here, 'node-agent.js'), join(folder, 'agent.js'));
    },
    command: (folder, port) => [process.execPath, join(folder, 'agent.js'), String(port)],
  },
  {
    name: 'PyPI `bedrock-agentcore` 1.25.0, `AGUIApp`',
    install(folder) {
      execFileSync('python3', ['-m', 'venv', folder], quiet);
      execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', ...pypiVersions], quiet);
    },
    command: (folder, port) => [join(folder, 'bin/python'), join(here, 'python_agent.py'), String(port)],
  },
];

/** Our own server with its embedded agent. */
export const ourselves: Peer = {
  name: 'this server',
  install: () => undefined,
  command: (folder, port) => [
    process.execPath,
    join(here, '../../src/cli/main.ts'),
    'serve',
    '--port',
    String(port),
    '--config-dir',
    folder,
  ],
};
