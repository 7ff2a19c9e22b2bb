/**
 * Walks a file system and names every native (ELF) file that is not for arm64: `node native-files.ts /`. Needs nothing
 * but node, so that it runs inside the finished image. Exit 1 when there is one, or when no native file was seen at all.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

const ELF = 0x7f454c46;
const AARCH64 = 183;
const SKIPPED = new Set(['/proc', '/sys', '/dev', '/tools']);

const foreign: string[] = [];
let seen = 0;
walk(process.argv[2] ?? '/');
for (const path of foreign) process.stderr.write(`not arm64: ${path}\n`);
process.stdout.write(`${seen} native files, ${foreign.length} of them not for arm64\n`);
process.exit(seen > 0 && foreign.length === 0 ? 0 : 1);

function walk(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(path)) walk(path);
    else if (entry.isFile()) look(path);
  }
}

function look(path: string): void {
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  const length = readSync(file, head, 0, head.length, 0);
  closeSync(file);
  if (length < head.length || head.readUInt32BE(0) !== ELF) return;
  seen += 1;
  if (head.readUInt16LE(18) !== AARCH64) foreign.push(path);
}
