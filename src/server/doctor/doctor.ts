/**
 * Looks an installation over before, or beside, a server: what it would run with, and whether what it needs is there.
 * Leaves nothing behind but an empty folder for threads. Reads the same environment as the server.
 */
import { createServer } from 'node:net';
import { createJsonLog } from '../../outbound/system/json-log.ts';
import { holdProcess, systemClock, systemIds } from '../../outbound/system/system-runtime.ts';
import { createTelemetry } from '../../outbound/telemetry/telemetry.ts';
import type { Runtime } from '../../ports/runtime.ts';
import { protocolVersion } from '../../protocol/events.ts';
import { createKernel, createStore } from '../adapters.ts';
import { type Config, type Environment, readConfig } from '../config.ts';
import { serverVersion } from '../version.ts';
import { type DoctorReport, type Finding, reasonOf } from './finding.ts';
import { checkClock, checkCollector, checkIdentity, checkKernel } from './neighbours.ts';
import { probeHttp } from './probe-http.ts';
import { checkNames, settingValues } from './setting-values.ts';
import { checkStore, checkWorkspace } from './storage.ts';

const limitMs = 45_000;

/** Throws `ConfigError` for settings that no server starts with. `flags`: settings given on the command line. */
export async function examine(environment: Environment, flags: ReadonlySet<string>): Promise<DoctorReport> {
  const config = readConfig(environment);
  const letGo = holdProcess();
  const findings = await Promise.all([
    checkNames(environment),
    inTime('port', checkPort(config)),
    inTime('store', examineStore(config)),
    inTime('workspace', checkWorkspace(config)),
    inTime('kernel', examineKernel(config)),
    inTime('identity', checkIdentity(config)),
    inTime('collector', checkCollector(environment)),
    inTime('clock', checkClock(config, environment)),
  ]).finally(letGo);
  return {
    verdict: verdictOf(findings),
    versions: {
      'agentcore-agui': serverVersion,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      'AG-UI': protocolVersion,
      A2A: '1.0',
    },
    settings: settingValues(environment, config, flags),
    findings,
  };
}

/** A mounted folder or a peer may hang for ever; the doctor may not. */
async function inTime(name: string, check: Promise<Finding>): Promise<Finding> {
  const { promise, resolve } = Promise.withResolvers<Finding>();
  const what = `no answer within ${limitMs / 1_000} s`;
  const endTimer = systemClock.after(limitMs, () => resolve({ name, state: 'fail', what }));
  try {
    return await Promise.race([check, promise]);
  } catch (cause) {
    return { name, state: 'fail', what: reasonOf(cause) };
  } finally {
    endTimer();
  }
}

function verdictOf(findings: readonly Finding[]): DoctorReport['verdict'] {
  if (findings.some(({ state }) => state === 'fail')) return 'fail';
  return findings.some(({ state }) => state === 'warn') ? 'warn' : 'ok';
}

async function examineStore(config: Config): Promise<Finding> {
  const store = await createStore(config, quiet);
  try {
    return await checkStore(store, config);
  } finally {
    await store.close();
  }
}

/** What a child or a connection has to say goes nowhere: the finding tells what counts. */
const quiet: Runtime = {
  clock: systemClock,
  ids: systemIds,
  log: createJsonLog('silent', process.stderr),
};

async function examineKernel(config: Config): Promise<Finding> {
  const { outgoing } = createTelemetry({ clock: systemClock, version: serverVersion });
  try {
    const kernel = await createKernel(config, quiet, outgoing);
    try {
      return await checkKernel(kernel, config);
    } finally {
      await kernel.close();
    }
  } catch (cause) {
    return {
      name: 'kernel',
      state: 'fail',
      what: reasonOf(cause),
      remedy: 'Check the AGUI_KERNEL_ settings.',
    };
  }
}

/** The port is free for a server, or one is there already. */
async function checkPort({ host, port }: Config): Promise<Finding> {
  const name = 'port';
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer().once('error', resolve);
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
  if (problem === undefined) return { name, state: 'ok', what: `${host}:${port} is free` };
  if (problem.code !== 'EADDRINUSE') {
    const remedy = 'Set AGUI_HOST to an address of this machine, and AGUI_PORT to 1024 or above.';
    return {
      name,
      state: 'fail',
      what: `${host}:${port} can not be listened on: ${reasonOf(problem)}`,
      remedy,
    };
  }
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const status = await probeHttp(`http://${near.includes(':') ? `[${near}]` : near}:${port}/ping`).then(
    ({ body }) => /"status":"(Healthy(?:Busy)?)"/.exec(body)?.[1],
    () => undefined,
  );
  if (status !== undefined)
    return { name, state: 'ok', what: `a server answers on ${host}:${port}: ${status}` };
  return {
    name,
    state: 'warn',
    what: `${host}:${port} is taken by something that does not answer /ping`,
    remedy: 'Stop what uses the port, or set AGUI_PORT.',
  };
}
