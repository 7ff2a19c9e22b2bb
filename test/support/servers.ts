/** A real server on a free port, with what a test wants to put in place of the real thing. Stopped after each test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock, systemIds } from '../../src/outbound/system/system-runtime.ts';
import type { Clock, Log, Runtime } from '../../src/ports/runtime.ts';
import type { Replacements } from '../../src/server/compose.ts';
import { type Environment, readConfig } from '../../src/server/config.ts';
import { type RunningServer, serve } from '../../src/server/serve.ts';

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface TestServer extends RunningServer {
  readonly url: string;
  readonly folder: string;
  readonly log: readonly LogLine[];
}

export interface TestServerOptions {
  readonly environment?: Environment;
  readonly replace?: Replacements;
  /** Keep the files of an earlier server, as a restart does. */
  readonly folder?: string;
  /** In the place of the usual one with its recorded log. */
  readonly runtime?: Runtime;
  /** A clock that can jump. */
  readonly clock?: Clock;
}

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = options.folder ?? (await temporaryFolder());
  const log: LogLine[] = [];
  const runtime: Runtime = options.runtime ?? {
    clock: options.clock ?? systemClock,
    ids: systemIds,
    log: recordingLog(log),
  };
  const config = readConfig({
    AGUI_HOST: '127.0.0.1',
    AGUI_PORT: '0',
    AGUI_CONFIG_DIR: folder,
    AGUI_DRAIN_S: '5',
    ...options.environment,
  });
  const server = await serve(config, runtime, options.replace);
  onTestFinished(() => server.stop());
  return { ...server, url: `http://127.0.0.1:${server.port}`, folder, log };
}

/** `onTestFinished`, or a list that a group's `afterAll` goes through, for what its tests share. */
export type WhenDone = (clean: () => Promise<void>) => void;

export async function temporaryFolder(whenDone: WhenDone = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agentcore-agui-'));
  whenDone(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function recordingLog(lines: LogLine[], bound: Readonly<Record<string, unknown>> = {}): Log {
  const at =
    (level: string) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      lines.push({ level, event, fields: { ...bound, ...fields } });
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => recordingLog(lines, { ...bound, ...fields }),
  };
}
