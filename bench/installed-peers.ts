/**
 * Peers that are no part of the product's install: put into a folder of their own below node_modules, once. Where a
 * registry can't be had they are left out, and that is said in one line.
 */
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeCommand, type ServerCommand } from './processes.ts';

const here = import.meta.dirname;
const home = join(here, '../node_modules/.cache/agentcore-agui-bench');
const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000 };
const pythonPackages = ['bedrock-agentcore==1.25.0', 'ag-ui-protocol==1.0.0', 'uvicorn==0.54.0'];

export type Commands = Readonly<Record<string, ServerCommand>>;

/** Express with the official encoder, and npm's bedrock-agentcore. */
export function npmPeers(): Commands {
  const folder = join(home, 'npm');
  return installed('npm peers', folder, () => {
    cpSync(join(here, 'peers/npm'), folder, { recursive: true });
    execFileSync('npm', ['ci', '--legacy-peer-deps', '--no-audit', '--no-fund'], { ...quiet, cwd: folder });
  })
    ? {
        'Express + @ag-ui/encoder': nodeCommand(join(folder, 'express-encoder.js')),
        'npm bedrock-agentcore': nodeCommand(join(folder, 'bedrock-agentcore.js')),
      }
    : {};
}

/** The AG-UI app of PyPI's bedrock-agentcore. */
export function pythonPeers(): Commands {
  const folder = join(home, 'python');
  return installed('Python peers', folder, () => {
    execFileSync('python3', ['-m', 'venv', folder], quiet);
    execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', ...pythonPackages], quiet);
  })
    ? { 'PyPI bedrock-agentcore': [join(folder, 'bin/python'), join(here, 'peers/python/agui_app.py')] }
    : {};
}

function installed(what: string, folder: string, install: () => void): boolean {
  const mark = join(folder, 'installed');
  if (existsSync(mark)) return true;
  try {
    mkdirSync(folder, { recursive: true });
    install();
    writeFileSync(mark, '');
    return true;
  } catch (cause) {
    console.error(
      `SKIPPED: ${what} can't be installed here, so nothing is compared with them (${String(cause).split('\n')[0]})`,
    );
    return false;
  }
}
