/**
 * What every operation of the data plane goes through before it does its own: address, rate, body, authorization, session
 * id, faults on demand. Knows nothing of HTTP answers or sockets.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isClientError } from '../client/client-error.ts';
import { checkSessionId, sessionHeader } from '../client/session-id.ts';
import { authorize, type Caller } from './authorize.ts';
import { type DoorAddress, parseDoorAddress } from './door-address.ts';
import type { DoorConfig, RuntimeConfig } from './door-config.ts';
import type { DoorLog } from './door-log.ts';
import { type Fault, FaultRules, type Operation } from './fault-rules.ts';
import { sessionHeaderName } from './header-filter.ts';
import { TokenVerifier } from './jwt-verifier.ts';
import { PlatformError } from './platform-error.ts';
import { Rate } from './rate.ts';
import { SessionTable } from './session-table.ts';

/** One runtime and all that belongs to it. */
export interface RuntimeDesk {
  readonly runtime: RuntimeConfig;
  readonly sessions: SessionTable;
  readonly tokens: TokenVerifier | undefined;
  readonly rate: Rate;
}

export interface AdmittedCall {
  readonly address: DoorAddress;
  readonly desk: RuntimeDesk;
  readonly caller: Caller;
  readonly sessionId: string;
  readonly fault: Fault | undefined;
}

export interface DataPlaneParts {
  readonly config: DoorConfig;
  readonly folder: string;
  readonly publicUrl: () => string;
  readonly log: DoorLog;
}

export class DataPlane {
  readonly faults: FaultRules;
  readonly #config: DoorConfig;
  readonly #desks: ReadonlyMap<string, RuntimeDesk>;

  constructor({ config, folder, publicUrl, log }: DataPlaneParts) {
    this.#config = config;
    this.faults = new FaultRules(config.faults);
    const deskOf = (runtime: RuntimeConfig): RuntimeDesk => ({
      runtime,
      sessions: new SessionTable({ runtime, environment: config.baseEnvironment, folder, publicUrl, log }),
      tokens:
        runtime.authorizer === 'AWS_IAM'
          ? undefined
          : new TokenVerifier(runtime.authorizer.customJWTAuthorizer),
      rate: new Rate(runtime.quota.requestsPerSecond),
    });
    this.#desks = new Map(config.runtimes.map((runtime) => [runtime.arn, deskOf(runtime)]));
  }

  get desks(): readonly RuntimeDesk[] {
    return [...this.#desks.values()];
  }

  /** Throws `PlatformError`. */
  locate({ method = '', url = '' }: IncomingMessage): DoorAddress {
    return parseDoorAddress(method, url, this.#config.runtimes);
  }

  /** Origin as the caller knows it. */
  originFor({ headers }: IncomingMessage): string {
    return this.#config.publicUrl ?? `http://${headers.host ?? 'localhost'}`;
  }

  /** Throws `PlatformError`. */
  async admit(request: IncomingMessage, address: DoorAddress, body: Uint8Array): Promise<AdmittedCall> {
    const desk = this.#desks.get(address.runtime.arn);
    if (desk === undefined) throw new PlatformError('ResourceNotFoundException', 'no such runtime');
    if (!desk.rate.take()) throw new PlatformError('ThrottlingException');
    const { identities, clockSkewSeconds } = this.#config;
    const parts = { identities, clockSkewSeconds, tokens: desk.tokens };
    const caller = await authorize({ address, request, body, origin: this.originFor(request) }, parts);
    const sessionId = sessionIdOf(request, address);
    const fault = this.#faultFor(address, sessionId);
    if (fault?.kind === 'delay') await pause(fault.milliseconds);
    if (fault?.kind === 'exception') throw exceptionOf(fault);
    return { address, desk, caller, sessionId, fault };
  }

  async close(): Promise<void> {
    await Promise.all(this.desks.map(({ sessions }) => sessions.close()));
  }

  #faultFor({ operation, runtime }: DoorAddress, sessionId: string): Fault | undefined {
    if (operation === 'GetRuntimeProtectedResourceMetadata') return undefined;
    return this.faults.take({ operation: operation satisfies Operation, runtime: runtime.arn, sessionId });
  }
}

function exceptionOf({ exception, retryAfterSeconds }: Extract<Fault, { kind: 'exception' }>): PlatformError {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new PlatformError(exception, undefined, { headers });
}

/** As a header, or as a parameter of a WebSocket's address. A call without one is a new session. */
function sessionIdOf({ headers }: IncomingMessage, { operation, query }: DoorAddress): string {
  const header = headers[sessionHeaderName];
  const isSocket = operation === 'InvokeAgentRuntimeWithWebSocketStream';
  const given =
    typeof header === 'string' ? header : isSocket ? (query.get(sessionHeader) ?? undefined) : undefined;
  if (given === undefined) {
    if (operation !== 'StopRuntimeSession') return randomUUID();
    throw new PlatformError('ValidationException', `${sessionHeader} is missing`);
  }
  try {
    return checkSessionId(given);
  } catch (thrown) {
    if (isClientError(thrown)) throw new PlatformError('ValidationException', thrown.message);
    throw thrown;
  }
}
