/** The only file that names concrete classes: settings in, a wired server out. Opens nothing by itself. */
import { createServer, type Server } from 'node:http';
import { defaultDriverSettings } from '../application/driven-run.ts';
import { Health } from '../application/health.ts';
import { InterruptTimers } from '../application/interrupt-timers.ts';
import { LiveRuns } from '../application/live-runs.ts';
import { OpenSessions } from '../application/open-sessions.ts';
import { RecentRuns } from '../application/recent-runs.ts';
import type { RunService } from '../application/run-service.ts';
import { obeyOthers } from '../application/runs-elsewhere.ts';
import { Service } from '../application/service.ts';
import { ThreadDesk } from '../application/thread-desk.ts';
import { releaseDeadRun } from '../domain/run/settlement.ts';
import type { CallerRules } from '../inbound/caller.ts';
import { answerBrokenRequests } from '../inbound/http/broken-requests.ts';
import type { Limits } from '../inbound/http/capabilities-route.ts';
import type { PageFiles } from '../inbound/http/chat-page.ts';
import { createExpressApp } from '../inbound/http/express-app.ts';
import { Heartbeats } from '../inbound/stream/heartbeats.ts';
import type { SocketLimits } from '../inbound/ws/connection.ts';
import { SocketDoor } from '../inbound/ws/upgrade.ts';
import { interruptTexts } from '../language/interrupt-text.ts';
import { FileSessionOwners } from '../outbound/files/file-session-owners.ts';
import { createWorkspaces } from '../outbound/files/workspaces.ts';
import { AjvAnswerSchemas } from '../outbound/schema/ajv-answer-schemas.ts';
import { compileLinearPattern } from '../outbound/schema/re2-pattern.ts';
import { createTelemetry } from '../outbound/telemetry/telemetry.ts';
import type { Kernel } from '../ports/kernel.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { Meter, Telemetry } from '../ports/telemetry.ts';
import type { ThreadStore } from '../ports/thread-store.ts';
import { createIdentity, createKernel, createLimit, createStore } from './adapters.ts';
import type { Config } from './config.ts';
import { findPageFiles } from './page-files.ts';
import { publicAddress } from './public-address.ts';

/** Threads kept in memory; what is beyond is loaded from the store again. */
const maxCachedThreads = 2_000;
/** Run ids and old executions that a thread remembers. */
const maxTerminalExecutions = 100;
const maxApplied = 200;
/** A request body that brings nothing for this long is given up. */
const bodyStallMs = 30_000;
/** And one that is not there as a whole after this time. */
const bodyTotalMs = 240_000;
/** The platform lets 20 headers of the application with 4 KB each through, beside its own. */
const maxHeaderBytes = 131_072;

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
  readonly telemetry: Telemetry;
}

/** What tests put in the place of the real thing. */
export interface Replacements {
  readonly kernel?: Kernel;
  readonly store?: ThreadStore;
  /** Told of the numbers, besides OpenTelemetry. */
  readonly meter?: Meter;
  readonly socketLimits?: Partial<SocketLimits>;
  /** Folder of a built chat page. */
  readonly pageFolder?: string;
}

export async function compose(
  config: Config,
  runtime: Runtime,
  serverVersion: string,
  replace: Replacements = {},
): Promise<ComposedServer> {
  const health = new Health(runtime.clock);
  const liveRuns = new LiveRuns(health, config.maxRuns);
  const telemetry = createTelemetry({ clock: runtime.clock, version: serverVersion, meter: replace.meter });
  const store = telemetry.measured(replace.store ?? (await createStore(config, runtime)));
  const kernel = replace.kernel ?? (await createKernel(config, runtime, telemetry.outgoing));
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
    telemetry,
    health,
    liveRuns,
    sessions: {
      openSessions: new OpenSessions(runtime.clock, config),
      sessionOwners: new FileSessionOwners(config.stateDir),
    },
    interruptTexts,
    settings: {
      driver: {
        ...defaultDriverSettings,
        deadlineMs: config.runDeadlineMs,
        interruptTtlMs: config.interruptTtlMs,
        maxTerminalExecutions,
        maxApplied,
      },
      maxRunsRemembered: config.runsRemembered,
      onDisconnect: config.onDisconnect,
      detachGraceMs: config.detachGraceMs,
    },
  });
  const doors = await openDoors({ config, runtime, telemetry, service, serverVersion, replace });
  telemetry.meter.watch('active-runs', () => liveRuns.count);
  telemetry.meter.watch('open-sockets', () => doors.sockets.count);
  return { ...doors, health, liveRuns, timers, recent, kernel, store, telemetry };
}

interface DoorParts {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly telemetry: Telemetry;
  readonly service: RunService;
  readonly serverVersion: string;
  readonly replace: Replacements;
}

/** HTTP and WebSocket in front of the use cases; nothing listens yet. */
async function openDoors(parts: DoorParts): Promise<Pick<ComposedServer, 'http' | 'sockets' | 'heartbeats'>> {
  const { config, runtime, telemetry, service, serverVersion, replace } = parts;
  const callers: CallerRules = {
    identity: await createIdentity(config, runtime),
    requireSession: config.requireSession,
    publicAddress: publicAddress(config),
    rateLimit: await createLimit(config.rateLimit),
    forwardHeaders: config.forwardHeaders,
  };
  const heartbeats = new Heartbeats(runtime.clock, config.heartbeatMs);
  const { streamDeadlineMs } = config;
  const shared = { service, callers, runtime, telemetry, heartbeats, fallbackLanguage: config.language };
  const app = createExpressApp({
    ...shared,
    streamDeadlineMs,
    serverVersion,
    page: config.chatPage === false ? undefined : pageFor(config, runtime, replace),
    allowedOrigins: config.corsOrigins,
    body: { maxBytes: config.maxBodyBytes, stallMs: bodyStallMs, totalMs: bodyTotalMs },
    limits: limitsOf(config),
  });
  const sockets = new SocketDoor({
    ...shared,
    allowedOrigins: config.corsOrigins,
    maxMessageBytes: config.maxBodyBytes,
    maxSockets: config.maxSockets,
    limits: { ...socketLimits, maxAgeMs: streamDeadlineMs, ...replace.socketLimits },
  });
  const http = createServer({ maxHeaderSize: maxHeaderBytes }, app);
  http.on('upgrade', sockets.upgrade);
  http.on('clientError', answerBrokenRequests(runtime, config.language));
  return { http, sockets, heartbeats };
}

function limitsOf(config: Config): Limits {
  return {
    bodyBytes: config.maxBodyBytes,
    headerBytes: maxHeaderBytes,
    bodyStallSeconds: bodyStallMs / 1_000,
    bodySeconds: bodyTotalMs / 1_000,
    runs: config.maxRuns,
    sockets: config.maxSockets,
    sessions: config.maxSessions,
    threadsPerSession: config.maxThreads,
    requestsPerSecond: config.rateLimit,
    socketMessagesPerSecond: socketLimits.messagesPerSecond,
    interruptSeconds: config.interruptTtlMs / 1_000,
  };
}

function pageFor(config: Config, { log }: Runtime, { pageFolder }: Replacements): PageFiles | undefined {
  const page = findPageFiles(pageFolder);
  if (page === undefined && config.chatPage === true)
    log.warn('there is no chat page here: npm run page builds it, the image holds none');
  return page;
}
