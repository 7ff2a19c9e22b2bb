/** `GET /ping` (AgentCore contract) and `GET /health` (iac-code AG-UI interface). Never logged. */
import type { HealthStatus } from '../../application/run-service.ts';
import { protocolVersion } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/json.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

export function pingAnswer(health: HealthStatus): HttpAnswer {
  return {
    status: health.phase === 'ready' ? 200 : 503,
    body: {
      status: health.status,
      ...(health.changedAt === undefined ? {} : { time_of_last_update: health.changedAt }),
    },
  };
}

export function healthAnswer(health: HealthStatus, serverVersion: string): HttpAnswer {
  return {
    status: health.phase === 'ready' ? 200 : 503,
    body: {
      status: health.phase === 'ready' ? 'ok' : health.phase,
      protocol: 'ag-ui',
      protocolPackageVersion: protocolVersion,
      executionKernel: 'a2a-1.0',
      serverVersion,
    },
  };
}
