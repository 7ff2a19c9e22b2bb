/**
 * Stand-ins for `aws`, `docker` and `npm`: programs on the PATH that ask a server on loopback what to print and how to
 * end. The server keeps the world (which images exist) and the list of calls, so that a test can change one and read the
 * other. `uname` answers for the machine.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';

export interface Reply {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** What a program answers to these arguments; undefined = success without a word. */
export type Answers = (program: string, args: readonly string[]) => Reply | undefined;

const PROGRAM = (node: string, name: string): string => `#!/bin/sh
exec "${node}" --input-type=module -e '
const [name, ...args] = process.argv.slice(1);
const input = args.includes("--password-stdin") ? await process.stdin.toArray() : [];
if (input.length > 0) args.push(Buffer.concat(input).toString().trim());
await fetch(process.env.STAND_IN_URL, { method: "POST", body: JSON.stringify({ name, args }) })
  .then((answer) => answer.json())
  .then(({ code = 0, stdout = "", stderr = "" }) => { process.stdout.write(stdout); process.stderr.write(stderr); process.exitCode = code; });
' -- ${name} "$@"
`;

export class StandIns {
  readonly calls: string[] = [];
  readonly #server: Server;
  readonly #folder: string;

  private constructor(server: Server, folder: string) {
    this.#server = server;
    this.#folder = folder;
  }

  static async start(folder: string, programs: readonly string[], answers: Answers): Promise<StandIns> {
    mkdirSync(folder, { recursive: true });
    for (const name of programs) {
      writeFileSync(join(folder, name), PROGRAM(process.execPath, name));
      chmodSync(join(folder, name), 0o755);
    }
    const server = createServer(async (request, response) => {
      const chunks = await request.toArray();
      const { name, args } = JSON.parse(Buffer.concat(chunks).toString()) as { name: string; args: string[] };
      standIns.calls.push([name, ...args].join(' '));
      response.end(JSON.stringify(answers(name, args) ?? {}));
    });
    const standIns = new StandIns(server, folder);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return standIns;
  }

  environment(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return {
      PATH: `${this.#folder}${delimiter}${process.env['PATH'] ?? ''}`,
      STAND_IN_URL: `http://127.0.0.1:${port}/`,
    };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Runs a shell script to its end. Asynchronous, since the stand-ins' server lives in this process. */
export function shell(script: string, cwd: string, env: Record<string, string>): Promise<Required<Reply>> {
  return new Promise((done) => {
    const child = spawn('bash', ['-c', script], { cwd, env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (code) => done({ code: code ?? -1, stdout, stderr }));
  });
}
