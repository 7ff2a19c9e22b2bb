/** `agentcore-agui doctor` as an operator runs it: a process, its words, its exit code. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DoctorReport, Finding } from '../../src/server/doctor/finding.ts';
import { startFakeKernel } from '../fake-kernel/start.ts';
import { answer, startHostileServer } from '../support/hostile-server.ts';
import { root } from '../support/server-process.ts';
import { startServer, temporaryFolder } from '../support/servers.ts';

interface Looked {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

async function doctor(
  environment: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Looked> {
  const folder = await temporaryFolder();
  const env = {
    PATH: process.env['PATH'],
    AGUI_HOST: '127.0.0.1',
    AGUI_PORT: '0',
    AGUI_CONFIG_DIR: folder,
    ...environment,
  };
  return new Promise((resolve) => {
    const command = [join(root, 'src/cli/main.ts'), 'doctor', ...args];
    execFile(process.execPath, command, { env }, (problem, out, notes) =>
      resolve({ code: problem === null ? 0 : Number(problem.code), out, notes }),
    );
  });
}

async function report(environment: Record<string, string> = {}): Promise<DoctorReport & { code: number }> {
  const { code, out } = await doctor(environment, ['--json']);
  return { ...(JSON.parse(out) as DoctorReport), code };
}

const finding = ({ findings }: DoctorReport, name: string): Finding | undefined =>
  findings.find((each) => each.name === name);
const setting = ({ settings }: DoctorReport, name: string) => settings.find((each) => each.name === name);

describe('the doctor', () => {
  it('finds nothing amiss where nothing is: exit code 0, in words and as JSON', async () => {
    const [words, json] = await Promise.all([doctor(), report()]);

    expect(words.code).toBe(0);
    expect(words.out).toContain('All is well.');
    expect(json).toMatchObject({
      code: 0,
      verdict: 'ok',
      versions: { 'agentcore-agui': expect.any(String), node: process.versions.node, 'AG-UI': '1.0' },
    });
    expect(json.findings.map(({ name, state }) => [name, state])).toEqual([
      ['settings', 'ok'],
      ['port', 'ok'],
      ['store', 'ok'],
      ['workspace', 'ok'],
      ['kernel', 'ok'],
      ['identity', 'ok'],
      ['collector', 'skip'],
      ['clock', 'skip'],
    ]);
  });

  it('says of each setting where it comes from', async () => {
    const { out } = await doctor({ IAC_CODE_AGUI_INTERRUPT_TTL: '100', AGUI_DRAIN_S: '7' }, [
      '--json',
      '--heartbeat-s',
      '9',
    ]);
    const looked: DoctorReport = JSON.parse(out);

    expect(setting(looked, 'AGUI_INTERRUPT_TTL_S')).toMatchObject({
      value: '100',
      source: 'IAC_CODE_AGUI_INTERRUPT_TTL',
    });
    expect(setting(looked, 'AGUI_DRAIN_S')).toMatchObject({ value: '7', source: 'AGUI_DRAIN_S' });
    expect(setting(looked, 'AGUI_HEARTBEAT_S')).toMatchObject({ value: '9', source: 'command line' });
    expect(setting(looked, 'AGUI_MAX_RUNS')).toMatchObject({ value: '1000', source: 'default' });
  });

  it('shows no secret, wherever one stands', async () => {
    const environment = {
      AGUI_AUTH_TOKEN: 'hush-1',
      AGUI_KERNEL_TOKEN: 'hush-2',
      AGUI_KERNEL_COMMAND: 'agent --api-key hush-3 --port {port} password=hush-4',
    };
    const url = { AGUI_KERNEL_TOKEN: 'hush-2', AGUI_KERNEL_URL: 'http://127.0.0.1:9/?key=hush-5' };
    const looked = await Promise.all([
      doctor(environment),
      doctor(environment, ['--json']),
      doctor(url),
      doctor(url, ['--json']),
    ]);

    for (const { out, notes } of looked) expect(out + notes).not.toContain('hush');
    expect(looked[0]?.out).toContain('(set, hidden)');
  });

  it('tells a slip of the pen in a name', async () => {
    const looked = await report({ AGUI_PROT: '1' });

    expect(looked).toMatchObject({ code: 0, verdict: 'warn' });
    expect(finding(looked, 'settings')?.what).toContain('AGUI_PROT');
  });

  it('refuses settings that no server starts with, as the server does: exit code 2', async () => {
    const { code, notes } = await doctor({ AGUI_HEARTBEAT_S: 'often' });

    expect(code).toBe(2);
    expect(notes).toMatch(/^agentcore-agui: AGUI_HEARTBEAT_S .*\n$/);
  });

  it('finds a folder that can not be one, with what to do: exit code 1', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');

    const looked = await report({ AGUI_STATE_DIR: join(folder, 'file') });

    expect(looked).toMatchObject({ code: 1, verdict: 'fail' });
    expect(finding(looked, 'store')).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('AGUI_STATE_DIR'),
    });
  });

  it('finds a workspace that can not be made', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');

    const looked = await report({ AGUI_WORKSPACE_DIR: join(file, 'workspace') });

    expect(finding(looked, 'workspace')).toMatchObject({
      state: 'fail',
      remedy: expect.stringContaining('AGUI_WORKSPACE_DIR'),
    });
  });

  it('reaches an agent, and compares its clock', async () => {
    const kernel = await startFakeKernel();

    const looked = await report({ AGUI_KERNEL_URL: kernel.url });

    expect(finding(looked, 'kernel')).toMatchObject({
      state: 'ok',
      what: expect.stringContaining('remote: '),
    });
    expect(finding(looked, 'clock')).toMatchObject({ state: 'ok' });
  });

  it('starts and stops an agent that is a child', async () => {
    const command = `"${process.execPath}" "${join(root, 'test/fake-kernel/main.ts')}" --port {port}`;

    const looked = await report({ AGUI_KERNEL_COMMAND: command });

    expect(finding(looked, 'kernel')).toMatchObject({
      state: 'ok',
      what: expect.stringContaining('child: '),
    });
  });

  it('finds an agent that is not there', async () => {
    const looked = await report({ AGUI_KERNEL_URL: 'http://127.0.0.1:9/' });

    expect(looked.code).toBe(1);
    expect(finding(looked, 'kernel')).toMatchObject({
      state: 'fail',
      what: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('finds a clock that is hours off', async () => {
    const date = new Date(Date.now() + 3 * 3_600_000).toUTCString();
    const server = await startHostileServer({
      http: [(response) => void response.writeHead(200, { date }).end()],
    });

    const looked = await report({ AGUI_KERNEL_URL: server.url });

    expect(finding(looked, 'clock')).toMatchObject({
      state: 'fail',
      what: expect.stringMatching(/^1(079[89]|080[012]) s behind/),
    });
  });

  it('finds an identity provider without keys', async () => {
    const server = await startHostileServer({
      http: [answer(404, '{}', { 'content-type': 'application/json' })],
    });

    const looked = await report({
      AGUI_AUTH: 'jwt',
      AGUI_JWT_DISCOVERY_URL: `${server.url}/.well-known/openid-configuration`,
      AGUI_JWT_ALLOWED_CLIENTS: 'a-client',
    });

    expect(finding(looked, 'identity')).toMatchObject({
      state: 'fail',
      what: expect.stringContaining('404'),
    });
  });

  it('tells a server of ours on its port from something else', async () => {
    const server = await startServer();
    const other = createTcpServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const taken = typeof address === 'object' && address !== null ? address.port : 0;

    const [ours, foreign] = await Promise.all([
      report({ AGUI_PORT: String(server.port) }),
      report({ AGUI_PORT: String(taken) }),
    ]);

    expect(finding(ours, 'port')).toMatchObject({ state: 'ok', what: expect.stringContaining('Healthy') });
    expect(finding(foreign, 'port')).toMatchObject({ state: 'warn' });
  });

  it('tells of a collector that is not there, and lets the server run', async () => {
    const looked = await report({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:10/' });

    expect(looked.code).toBe(0);
    expect(finding(looked, 'collector')?.state).toBe('warn');
  });
});
