/** Finds the built chat page: in `web/dist`, beside the sources and in the published package alike. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageFiles } from '../inbound/http/chat-page.ts';

const builtFolder = fileURLToPath(new URL('../../web/dist/', import.meta.url));

/** Undefined when the page has not been built. */
export function findPageFiles(folder = builtFolder): PageFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return { folder, names: new Set(names.map((name) => name.replaceAll('\\', '/'))) };
}
