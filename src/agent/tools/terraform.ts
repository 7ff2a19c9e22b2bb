/**
 * Syntax of Terraform files, by the `terraform` binary where the machine has one. Only `fmt` on standard input: it parses and
 * evaluates nothing, reads no other file and runs no provider. `validate` would do all three (its functions read any file of
 * the machine, and providers are programs that `init` downloads), which no template of a model may set off.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { JsonObject } from '../../protocol/json.ts';

export interface TerraformChecker {
  /**
   * `{valid, isFormatted, checked: "syntax", problems: [text]}`. Rejects with the signal's reason when it is aborted, and
   * when the binary gives no answer.
   */
  check(text: string, signal: AbortSignal): Promise<JsonObject>;
}

/** The binary was killed, or failed without a word. */
class TerraformSilence extends Error {
  override readonly name = 'TerraformSilence';
}

const maxMs = 10_000;
const maxProblems = 8_000;

/** Undefined where no folder of `path` (as `PATH` spells it) has the binary. */
export async function findTerraform(path: string): Promise<TerraformChecker | undefined> {
  for (const folder of path.split(delimiter)) {
    const binary = join(folder, 'terraform');
    if (!isAbsolute(binary)) continue;
    const isThere = await access(binary, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return { check: (text, signal) => checkSyntax(binary, text, signal) };
  }
  return undefined;
}

/** Nothing of this process's environment: it may hold secrets, and settings of a person's own terraform. */
const environment = {
  CHECKPOINT_DISABLE: '1',
  TF_IN_AUTOMATION: '1',
  TF_CLI_CONFIG_FILE: '/dev/null',
};

async function checkSyntax(binary: string, text: string, signal: AbortSignal): Promise<JsonObject> {
  signal.throwIfAborted();
  const { code, output, complaints } = await run(binary, text, signal);
  signal.throwIfAborted();
  if (code === 0) return { valid: true, isFormatted: output === text, checked: 'syntax', problems: [] };
  if (code === null || complaints.trim() === '') throw new TerraformSilence('terraform gave no answer');
  return {
    valid: false,
    isFormatted: false,
    checked: 'syntax',
    problems: [complaints.trim().slice(0, maxProblems)],
  };
}

interface Ran {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly output: string;
  readonly complaints: string;
}

function run(binary: string, text: string, signal: AbortSignal): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, ['fmt', '-no-color', '-'], {
      cwd: tmpdir(),
      env: environment,
      signal,
      timeout: maxMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    let complaints = '';
    // No more than a formatted copy of a file that is bounded itself.
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      if (complaints.length < maxProblems) complaints += piece;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output, complaints }));
    // A child that ends before it has read everything breaks the pipe; its end says why.
    child.stdin.on('error', () => undefined).end(text);
  });
}
