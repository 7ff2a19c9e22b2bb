/** The remote client over TLS, with a certificate made for this run. Skipped where there is no openssl. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';

import { describe, expect, it, onTestFinished } from 'vitest';
import { RemoteKernel } from '../../../../src/outbound/kernel/remote-kernel.ts';
import { userText } from '../../../fake-kernel/sends.ts';
import { startFakeKernel } from '../../../fake-kernel/start.ts';
import { says } from '../../../fake-kernel/turn.ts';
import { failureOf, never, quietLog, readAll } from './support.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl)('the remote client over https', () => {
  it('talks to an agent whose certificate is trusted, and to no other', async () => {
    const fake = await startFakeKernel({ script: says('Hello') });
    const { port, certificate } = await startTlsProxy(new URL(fake.url).port);
    const kernelAt = (host: string): RemoteKernel => {
      const kernel = new RemoteKernel({ url: `https://${host}:${port}/`, token: 'a-token', log: quietLog });
      onTestFinished(() => kernel.close());
      return kernel;
    };
    const untrusted = await failureOf(kernelAt('localhost').describe(never()));
    trust(certificate);

    const { items, error } = await readAll(kernelAt('localhost').send(userText('hi'), never()));

    expect(untrusted).toMatchObject({ kind: 'unavailable' });
    expect(error).toBeUndefined();
    expect(items.length).toBeGreaterThan(2);
    expect(await failureOf(kernelAt('127.0.0.1').describe(never()))).toMatchObject({ kind: 'unavailable' });
    expect(fake.calls).toHaveLength(2);
  });
});

/** TLS for `localhost` in front of a plain port. */
async function startTlsProxy(target: string): Promise<{ port: number; certificate: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-https-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) });
  server.on('secureConnection', (socket) => {
    const upstream = connect(Number(target), '127.0.0.1');
    socket.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => socket.destroy()).pipe(socket);
  });
  return { port: await listen(server), certificate: readFileSync(certificate, 'utf8') };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function trust(certificate: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate]);
  onTestFinished(() => setDefaultCACertificates(before));
}
