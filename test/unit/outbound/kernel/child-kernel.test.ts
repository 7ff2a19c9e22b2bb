/** Real processes, started from `test/fake-kernel/main.ts`. */
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ChildKernel } from '../../../../src/outbound/kernel/child-kernel.ts';
import type { ChildKernelOptions, Supervision } from '../../../../src/outbound/kernel/child-supervisor.ts';
import type { Clock } from '../../../../src/ports/runtime.ts';
import { userText } from '../../../fake-kernel/sends.ts';
import { failureOf, fakeKernelCommand, type LogLine, never, readAll, systemRuntime } from './support.ts';

const swift: Partial<Supervision> = { firstPauseMs: 1, maxPauseMs: 5 };

interface Started {
  readonly kernel: ChildKernel;
  readonly lines: LogLine[];
  /** Lines that the child wrote. */
  readonly output: () => readonly string[];
}

function supervise(flags = '', options: Partial<ChildKernelOptions> = {}): Started {
  const lines: LogLine[] = [];
  const kernel = new ChildKernel({
    command: fakeKernelCommand(flags),
    environment: process.env,
    runtime: systemRuntime(lines),
    ...options,
    supervision: { ...swift, ...options.supervision },
  });
  onTestFinished(() => kernel.close());
  const output = (): readonly string[] => lines.flatMap(({ fields }) => (fields['line'] as string) ?? []);
  return { kernel, lines, output };
}

function portsOf(lines: readonly LogLine[]): readonly unknown[] {
  return lines.filter(({ event }) => event === 'kernel ready').map(({ fields }) => fields['port']);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a supervised kernel', () => {
  it('is started by its first call, and is ready when the call is made', async () => {
    const { kernel, lines } = supervise();
    expect(lines).toEqual([]);

    const { items } = await readAll(kernel.send(userText('hello'), never()));

    expect(items.length).toBeGreaterThan(2);
    expect(portsOf(lines)).toHaveLength(1);
  });

  it('is started once for calls that come together', async () => {
    const { kernel, lines } = supervise();

    await Promise.all([kernel.describe(never()), kernel.start(), kernel.describe(never())]);

    expect(portsOf(lines)).toHaveLength(1);
  });

  it('is ready by its agent card where it has no health path', async () => {
    const { kernel } = supervise('--no-health');

    await kernel.start();

    expect((await kernel.describe(never())).name).toBe('iac-code');
  });

  it('hands its output to the log line by line, without the token', async () => {
    const { kernel, lines, output } = supervise();

    await readAll(kernel.send(userText('/secret'), never()));
    await kernel.close();

    expect(output().some((line) => line.startsWith('listening at http://127.0.0.1:'))).toBe(true);
    expect(output()).toContain('the token is [secret]');
    expect(JSON.stringify(lines)).not.toMatch(/[A-Za-z0-9_-]{43}/);
  });

  it('is started again on another port after it died, and the stream that it was in breaks', async () => {
    const { kernel, lines } = supervise();

    const { items, error } = await readAll(kernel.send(userText('/crash'), never()));
    await expect.poll(() => lines.some(({ event }) => event === 'kernel ended')).toBe(true);
    const again = await readAll(kernel.send(userText('hello'), never()));

    expect(items.length).toBeGreaterThan(0);
    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(again.error).toBeUndefined();
    expect(new Set(portsOf(lines)).size).toBe(2);
    expect(lines.find(({ event }) => event === 'kernel ended')?.fields).toMatchObject({
      how: 'ended with exit code 7',
    });
  });

  it('is given up after so many restarts in a row, and says how it ended', async () => {
    const { kernel, lines, output } = supervise('--exit 3', { supervision: { maxRestarts: 2 } });

    const error = await failureOf(kernel.start());

    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(error.message).toContain('exit code 3');
    expect(lines.filter(({ event }) => event === 'kernel ended')).toHaveLength(2);
    expect(output()).toEqual(['exits at once', 'exits at once', 'exits at once']);
    expect(await failureOf(kernel.describe(never()))).toBe(error);
  });

  it('waits longer before each restart, up to a limit', async () => {
    const { lines, kernel } = supervise('--exit 3', {
      supervision: { maxRestarts: 4, firstPauseMs: 1, maxPauseMs: 4 },
    });

    await failureOf(kernel.start());

    const pauses = lines
      .filter(({ event }) => event === 'kernel ended')
      .map(({ fields }) => fields['pauseMs']);
    expect(pauses).toEqual([1, 2, 4, 4]);
  });

  it('is tried again by a call that comes long after it was given up', async () => {
    let now = 0;
    const real = systemRuntime().clock;
    const clock: Clock = { now: () => now, after: (ms, callback) => real.after(ms, callback) };
    const lines: LogLine[] = [];
    const runtime = { ...systemRuntime(lines), clock };
    const { kernel } = supervise('--exit 3', {
      runtime,
      supervision: { maxRestarts: 0, stablePeriodMs: 1_000 },
    });
    const first = await failureOf(kernel.start());
    now = 999;
    expect(await failureOf(kernel.start())).toBe(first);

    now = 1_000;

    expect(await failureOf(kernel.start())).not.toBe(first);
  });

  it('is not started again when its program can not be run at all', async () => {
    const { kernel, lines } = supervise('', { command: '/no/such/program --port {port}' });

    const error = await failureOf(kernel.start());

    expect(error.message).toContain('ENOENT');
    expect(lines.filter(({ event }) => event === 'kernel ended')).toEqual([]);
  });

  it('is stopped when it does not become ready in time', async () => {
    const { kernel, lines } = supervise('', {
      command: `"${process.execPath}" -e "setInterval(() => {}, 1000)"`,
      supervision: { readyTimeoutMs: 50, maxRestarts: 0 },
    });

    const error = await failureOf(kernel.start());

    expect(error.message).toContain('was not ready within 50 ms');
    expect(lines.map(({ event }) => event)).toEqual(['kernel given up']);
  });

  it('lets a call wait for its start only so long', async () => {
    const { kernel } = supervise('', {
      command: `"${process.execPath}" -e "setInterval(() => {}, 1000)"`,
      supervision: { callWaitMs: 20 },
    });

    expect(await failureOf(kernel.describe(never()))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('starting'),
    });
    const { items, error } = await readAll(kernel.send(userText('hi'), never()));
    expect(items).toEqual([]);
    expect(error).toMatchObject({ kind: 'unavailable' });
  });

  it('lets a caller give up while it starts, also in the middle of a stream', async () => {
    const { kernel } = supervise('', { command: `"${process.execPath}" -e "setInterval(() => {}, 1000)"` });
    const patience = new AbortController();
    const described = failureOf(kernel.describe(patience.signal));
    const read = readAll(kernel.send(userText('hi'), patience.signal));
    const stream = kernel.send(userText('hi'), never())[Symbol.asyncIterator]();
    const step = stream.next();

    patience.abort();
    await stream.return?.();

    expect(await described).toMatchObject({ kind: 'unavailable' });
    expect(await read).toMatchObject({ items: [], error: undefined });
    expect((await step).done).toBe(true);
  });

  it('leaves no process behind, whatever it started itself', async () => {
    const { kernel, output } = supervise('--grandchild');
    await kernel.start();
    await expect.poll(() => output().some((line) => line.startsWith('grandchild '))).toBe(true);
    const pid = Number(
      output()
        .find((line) => line.startsWith('grandchild '))
        ?.split(' ')[1],
    );
    expect(isAlive(pid)).toBe(true);

    await kernel.close();

    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is killed when it does not end by itself', async () => {
    const { kernel, output } = supervise('--ignore-sigterm', { supervision: { stopGraceMs: 100 } });
    await kernel.start();

    await kernel.close();

    expect(output()).toContain('ignores SIGTERM');
    expect(await failureOf(kernel.describe(never()))).toMatchObject({ message: 'the kernel is closed' });
  });

  it('can be closed while it starts, and while it waits for its restart', async () => {
    const waiting = supervise('--exit 3', { supervision: { firstPauseMs: 60_000, maxPauseMs: 60_000 } });
    const restart = failureOf(waiting.kernel.start());
    await expect.poll(() => waiting.lines.some(({ event }) => event === 'kernel ended')).toBe(true);
    const starting = supervise();
    const start = failureOf(starting.kernel.start());

    await Promise.all([starting.kernel.close(), waiting.kernel.close()]);

    expect(await start).toMatchObject({ message: 'the kernel is closed' });
    expect(await restart).toMatchObject({ message: 'the kernel is closed' });
  });

  it('takes another port when its own was taken', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as { port: number };
    // The first life runs into the port of somebody else; what it is told is only known to the second.
    const main = fakeKernelCommand().match(/"([^"]*main\.ts)"/)?.[1] ?? '';
    const { kernel, lines, output } = supervise('', {
      command: `"${process.execPath}" -e '
        const fs = require("node:fs"), marker = process.argv[3];
        const isFirst = !fs.existsSync(marker);
        fs.writeFileSync(marker, "");
        process.argv.splice(1, 3, "--port", isFirst ? "${port}" : process.argv[2]);
        import("${main}").catch((error) => { console.error(error.code); process.exit(1); });
      ' "${main}" {port} "${await markerPath()}"`,
    });

    await kernel.start();

    expect(output()).toContain('EADDRINUSE');
    expect(portsOf(lines)).toHaveLength(1);
    expect(portsOf(lines)).not.toContain(port);
  });

  it('tells iac-code the folders that it may work in, unless the environment does', async () => {
    const show = `"${process.execPath}" -e "console.log('roots ' + process.env.IACCODE_A2A_ALLOWED_CWDS)"`;
    const rootsIn = async (environment: Record<string, string>) => {
      const allowedCwds = ['/srv/one', '/srv/two'];
      const started = supervise('', {
        command: show,
        environment,
        allowedCwds,
        supervision: { maxRestarts: 0 },
      });
      await failureOf(started.kernel.start());
      return started.output();
    };

    expect(await rootsIn({})).toEqual(['roots /srv/one:/srv/two']);
    expect(await rootsIn({ IACCODE_A2A_ALLOWED_CWDS: '/else' })).toEqual(['roots /else']);
  });

  it('does not begin with a command that can not be read', () => {
    expect(() => supervise('', { command: 'agent "open quote' })).toThrow(TypeError);
    expect(() => supervise('', { command: '  ' })).toThrow(TypeError);
  });
});

async function markerPath(): Promise<string> {
  const { mkdtemp, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const folder = await mkdtemp(join(tmpdir(), 'child-kernel-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'marker');
}
