/** Whether an agent that was just started answers already. */
import { KernelError } from '../../errors/kernel-error.ts';
import { cardPath } from './agent-card.ts';
import { createGuardedLookup } from './network-guard.ts';
import { PinnedHttp } from './pinned-http.ts';

export interface HealthProbe {
  /** True when the health path answers 200, or the agent card does where there is no health path. */
  isHealthy(): Promise<boolean>;
  close(): void;
}

const probeTimeoutMs = 1_000;
const missing = new Set([404, 405, 501]);

export function createHealthProbe(origin: URL, token: string, healthPath: string): HealthProbe {
  const http = new PinnedHttp({
    origin,
    lookup: createGuardedLookup(),
    connectTimeoutMs: probeTimeoutMs,
    connectRetryDelaysMs: [],
  });
  const statusOf = async (path: string): Promise<number> => {
    const response = await http.open(
      {
        method: 'GET',
        path,
        headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
        isRepeatable: false,
        headersTimeoutMs: probeTimeoutMs,
      },
      new AbortController().signal,
    );
    response.destroy();
    return response.statusCode ?? 0;
  };
  return {
    async isHealthy() {
      try {
        const status = await statusOf(healthPath);
        return (missing.has(status) ? await statusOf(`/${cardPath}`) : status) === 200;
      } catch (thrown) {
        if (thrown instanceof KernelError) return false;
        throw thrown;
      }
    },
    close: () => http.close(),
  };
}
