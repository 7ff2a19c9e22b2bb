/** The only file that names concrete classes: settings in, a wired server out. Opens nothing by itself. */
import { createServer, type Server } from 'node:http';
import { defaultDriverSettings } from '../application/driven-run.ts';
import { Health } from '../application/health.ts';
import { InterruptTimers } from '../application/interrupt-timers.ts';
import { LiveRuns } from '../application/live-runs.ts';
import { RecentRuns } from '../application/recent-runs.ts';
import { obeyOthers } from '../application/runs-elsewhere.ts';
import { Service } from '../application/service.ts';
import { ThreadDesk } from '../application/thread-desk.ts';
import { releaseDeadRun } from '../domain/run/settlement.ts';
import { assertNever } from '../errors/assert-never.ts';
import type { CallerRules } from '../inbound/caller.ts';
import { createExpressApp } from '../inbound/http/express-app.ts';
import { Heartbeats } from '../inbound/stream/heartbeats.ts';
import type { SocketLimits } from '../inbound/ws/connection.ts';
import { SocketDoor } from '../inbound/ws/upgrade.ts';
import { interruptTexts } from '../language/interrupt-text.ts';
import { FileThreadStore } from '../outbound/files/file-thread-store.ts';
import { createWorkspaces } from '../outbound/files/workspaces.ts';
import { bearerIdentity, openIdentity } from '../outbound/identity/identities.ts';
import { AjvAnswerSchemas } from '../outbound/schema/ajv-answer-schemas.ts';
import { compileLinearPattern } from '../outbound/schema/re2-pattern.ts';
import type { Kernel } from '../ports/kernel.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { ThreadStore } from '../ports/thread-store.ts';
import type { Config } from './config.ts';

/** Threads kept in memory; what is beyond is loaded from the store again. */
const maxCachedThreads = 2_000;
/** Run ids and old executions that a thread remembers. */
const maxRunsRemembered = 500;
const maxTerminalExecutions = 100;
const maxApplied = 200;
/** A request body that brings nothing for this long is given up. */
const bodyStallMs = 30_000;

const socketLimits = { pingMs: 20_000, idleMs: 600_000, messagesPerSecond: 100 };

export interface ComposedServer {
  readonly http: Server;
  readonly health: Health;
  readonly liveRuns: LiveRuns;
  readonly sockets: SocketDoor;
  readonly heartbeats: Heartbeats;
  readonly timers: InterruptTimers;
  readonly recent: RecentRuns;
  readonly kernel: Kernel;
  readonly store: ThreadStore;
}

/** What tests put in the place of the real thing. */
export interface Replacements {
  readonly kernel?: Kernel;
  readonly store?: ThreadStore;
  readonly socketLimits?: Partial<SocketLimits>;
}

export async function compose(
  config: Config,
  runtime: Runtime,
  serverVersion: string,
  replace: Replacements = {},
): Promise<ComposedServer> {
  const health = new Health(runtime.clock);
  const liveRuns = new LiveRuns(health, config.maxRuns);
  const store = replace.store ?? (await createStore(config, runtime));
  const kernel = replace.kernel ?? (await createKernel(config, runtime));
  const desk = new ThreadDesk(store, maxCachedThreads, async (record) => releaseDeadRun(record));
  obeyOthers(store, liveRuns, runtime);
  const timers = new InterruptTimers(desk, kernel, runtime, maxTerminalExecutions);
  const recent = new RecentRuns(runtime.clock, config.detachGraceMs);
  const schemas = new AjvAnswerSchemas(runtime.log, { compilePattern: compileLinearPattern });
  const service = new Service({
    desk,
    shared: store.shared,
    timers,
    recent,
    check: (schema, payload) => schemas.check(schema, payload),
    kernel,
    workspaces: createWorkspaces({ workspaceRoot: config.workspaceDir, allowed: config.allowedCwds }),
    runtime,
    health,
    liveRuns,
    interruptTexts,
    settings: {
      driver: {
        ...defaultDriverSettings,
        interruptTtlMs: config.interruptTtlMs,
        maxTerminalExecutions,
        maxApplied,
      },
      maxRunsRemembered,
      onDisconnect: config.onDisconnect,
      detachGraceMs: config.detachGraceMs,
    },
  });
  const callers: CallerRules = {
    identity: config.authToken === undefined ? openIdentity : bearerIdentity(config.authToken),
    requireSession: config.requireSession,
  };
  const heartbeats = new Heartbeats(runtime.clock, config.heartbeatMs);
  const shared = { service, callers, runtime, heartbeats, fallbackLanguage: config.language };
  const app = createExpressApp({
    ...shared,
    serverVersion,
    body: { maxBytes: config.maxBodyBytes, stallMs: bodyStallMs },
  });
  const sockets = new SocketDoor({
    ...shared,
    allowedOrigins: config.corsOrigins,
    maxMessageBytes: config.maxBodyBytes,
    maxSockets: config.maxSockets,
    limits: { ...socketLimits, ...replace.socketLimits },
  });
  const http = createServer(app);
  http.on('upgrade', sockets.upgrade);
  return { http, health, liveRuns, sockets, heartbeats, timers, recent, kernel, store };
}

/** Loads only the store that is asked for: the client of DynamoDB is large. */
async function createStore(config: Config, runtime: Runtime): Promise<ThreadStore> {
  const { store } = config;
  switch (store.kind) {
    case 'file':
      return new FileThreadStore({ stateDir: config.stateDir });
    case 'memory': {
      const { MemoryThreadStore } = await import('../outbound/memory/memory-thread-store.ts');
      return new MemoryThreadStore();
    }
    case 'dynamodb': {
      const { DynamoThreadStore } = await import('../outbound/dynamodb/dynamo-thread-store.ts');
      return new DynamoThreadStore({ table: store.table, ttlDays: store.ttlDays, runtime });
    }
    default:
      return assertNever(store);
  }
}

/** Loads only the kernel that is asked for: the embedded agent brings a template language along, a child brings none. */
async function createKernel(config: Config, runtime: Runtime): Promise<Kernel> {
  const profile = config.kernelProfile === 'auto' ? {} : { profile: config.kernelProfile };
  const token = config.kernelToken === undefined ? {} : { token: config.kernelToken };
  if (config.kernelUrl !== undefined) {
    const { RemoteKernel } = await import('../outbound/kernel/remote-kernel.ts');
    return new RemoteKernel({ url: config.kernelUrl, log: runtime.log, ...token, ...profile });
  }
  if (config.kernelCommand !== undefined) {
    const { ChildKernel } = await import('../outbound/kernel/child-kernel.ts');
    return new ChildKernel({
      command: config.kernelCommand,
      environment: config.childEnvironment,
      allowedCwds: config.allowedCwds,
      runtime,
      ...profile,
    });
  }
  const [{ createOfflineAgent }, { FileAgentMemory }] = await Promise.all([
    import('../agent/create-agent.ts'),
    import('../outbound/files/agent-memory.ts'),
  ]);
  return createOfflineAgent(runtime, new FileAgentMemory(config.stateDir));
}
