/** `GET /` for browsers: the page, its files, and who does not get them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startServer, temporaryFolder } from '../../support/servers.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function builtPage(): Promise<string> {
  const folder = await temporaryFolder();
  const script = 'export const a = 1;';
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(folder, 'assets/index-abc.js'), script);
  await writeFile(join(folder, 'assets/index-abc.js.gz'), gzipSync(script));
  await writeFile(join(folder, 'assets/index-abc.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'secret.txt'), 'secret');
  return folder;
}

async function startWithPage(environment = {}) {
  return startServer({ environment, replace: { pageFolder: await builtPage() } });
}

describe('the chat page', () => {
  it('is given to who asks for HTML, with a policy that allows no inline script', async () => {
    const { url } = await startWithPage();
    const response = await fetch(url, { headers: browser });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(await response.text()).toContain('<title>page</title>');
  });

  it('answers HEAD, and 304 to who has it already', async () => {
    const { url } = await startWithPage();
    const head = await fetch(url, { method: 'HEAD', headers: browser });

    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '34', '']);
    const etag = head.headers.get('etag') ?? '';
    expect(
      (await fetch(url, { headers: { ...browser, 'if-none-match': etag, 'cache-control': 'max-age=0' } }))
        .status,
    ).toBe(304);
  });

  it('is not given to agents and curl, which get the answer that they always got', async () => {
    const { url } = await startWithPage();

    for (const accept of ['*/*', 'application/json', 'text/event-stream', 'text/html;q=0, */*']) {
      const response = await fetch(url, { headers: { accept } });
      expect([accept, response.status, response.headers.get('allow')]).toEqual([accept, 405, 'POST']);
    }
  });

  it.each(['br', 'gzip', 'identity'])('gives its files in %s, to be kept for ever', async (encoding) => {
    const { url } = await startWithPage();
    const response = await fetch(`${url}/assets/index-abc.js`, { headers: { 'accept-encoding': encoding } });

    expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe('export const a = 1;');
  });

  it('gives nothing else of its folder, and nothing from outside', async () => {
    const { url } = await startWithPage();

    for (const path of [
      '/secret.txt',
      '/assets/none.js',
      '/assets/..%2fsecret.txt',
      '/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    ]) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
    }
  });

  it('is away when it is switched off or was not built', async () => {
    const off = await startWithPage({ AGUI_CHAT_PAGE: 'off' });
    const unbuilt = await startServer({
      environment: { AGUI_CHAT_PAGE: 'on' },
      replace: { pageFolder: await temporaryFolder() },
    });

    expect((await fetch(off.url, { headers: browser })).status).toBe(405);
    expect((await fetch(unbuilt.url, { headers: browser })).status).toBe(405);
    expect(unbuilt.log.map(({ event }) => event)).toContain(
      'there is no chat page here: npm run page builds it, the image holds none',
    );
  });
});
