/** Version of this package, as its package.json says. */
import { readFileSync } from 'node:fs';

export const serverVersion = readVersion(new URL('../../package.json', import.meta.url));

function readVersion(url: URL): string {
  const manifest: unknown = JSON.parse(readFileSync(url, 'utf8'));
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion && typeof manifest.version === 'string' ? manifest.version : '0.0.0';
}
