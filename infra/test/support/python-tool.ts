/**
 * Python programs for tests: the one on the PATH, else one installed into a virtual environment in the temp folder and
 * kept for the next run. Undefined, with a loud line, when neither can be had.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function pythonTool(program: string, requirement: string): string | undefined {
  if (spawnSync(program, ['--help'], { stdio: 'ignore' }).status === 0) return program;
  const folder = join(tmpdir(), `agentcore-agui-infra-${requirement.replaceAll(/[^a-z0-9.]+/gi, '-')}`);
  const installed = join(folder, 'bin', program);
  if (!existsSync(installed)) {
    spawnSync('python3', ['-m', 'venv', folder], { stdio: 'ignore', timeout: 60_000 });
    spawnSync(join(folder, 'bin/pip'), ['install', '--quiet', requirement], {
      stdio: 'ignore',
      timeout: 240_000,
    });
  }
  if (existsSync(installed)) return installed;
  console.warn(`SKIPPED: ${program} is not here and could not be installed; its checks were NOT made`);
  return undefined;
}
