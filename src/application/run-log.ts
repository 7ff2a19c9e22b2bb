/** The ids that every log line of a run carries, under the same names everywhere. */
import type { Log } from '../ports/runtime.ts';
import type { Span } from '../ports/telemetry.ts';
import type { RequestId, ThreadAddress } from '../protocol/ids.ts';

export interface RunNames {
  readonly address: ThreadAddress;
  readonly runId: string;
  readonly requestId: RequestId;
  readonly span: Span | undefined;
}

export function runLog(log: Log, { address, runId, requestId, span }: RunNames): Log {
  return log.child({
    requestId,
    sessionId: address.sessionId,
    threadId: address.threadId,
    runId,
    ...span?.ids,
  });
}
