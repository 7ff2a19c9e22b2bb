/** `GET /capabilities`: what this server can, in AG-UI's words, and the bounds that a client should know. */
import { protocolVersion } from '../../protocol/events.ts';
import { type CallerRules, identifyCaller } from '../caller.ts';
import type { Exchange } from './exchange.ts';

/** What is refused when it is exceeded, and by which code, stands in docs/security.md. Undefined is not limited. */
export interface Limits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** Seconds without a byte of the body, and for all of it. */
  readonly bodyStallSeconds: number;
  readonly bodySeconds: number;
  readonly runs: number;
  readonly sockets: number;
  readonly sessions: number;
  readonly threadsPerSession: number;
  /** Per caller; 0 is no limit. */
  readonly requestsPerSecond: number;
  readonly socketMessagesPerSecond: number;
  readonly interruptSeconds: number;
}

export interface CapabilitiesParts {
  readonly callers: CallerRules;
  readonly serverVersion: string;
  readonly limits: Limits;
}

/** An `AgentCapabilities` of AG-UI 1.0; what is ours alone stands below `custom`. */
export async function capabilitiesRoute(exchange: Exchange, parts: CapabilitiesParts): Promise<void> {
  await identifyCaller(exchange.knock, { ...parts.callers, requireSession: false });
  exchange.sendJson(200, {
    identity: { name: 'agentcore-agui', version: parts.serverVersion },
    transport: { streaming: true, websocket: true, httpBinary: false, resumable: true },
    humanInTheLoop: { supported: true, approvals: true, interrupts: true },
    state: { persistentState: true },
    custom: { 'agentcore-agui': { protocolVersion, limits: parts.limits } },
  });
}
