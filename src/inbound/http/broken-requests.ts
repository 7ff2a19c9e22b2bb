/** What did not become a request: too long a head, no HTTP at all, or a head that never ends. Answered like any other fault. */
import type { Duplex } from 'node:stream';
import { type Fault, fault } from '../../errors/fault.ts';
import type { Language } from '../../language/choose-language.ts';
import type { Runtime } from '../../ports/runtime.ts';
import { rawRefusal } from '../raw-refusal.ts';

/** Listener for the HTTP server's `clientError` event. */
export function answerBrokenRequests({ ids, log }: Runtime, language: Language) {
  return (cause: Error & { readonly code?: string }, socket: Duplex): void => {
    // A reset connection takes no answer; one that was answered already must not get a second one.
    if (!socket.writable || ('bytesWritten' in socket && socket.bytesWritten !== 0)) {
      socket.destroy();
      return;
    }
    const problem = faultOf(cause.code);
    log.debug('request refused', { fault: problem.fault, code: problem.code, parser: cause.code });
    socket.end(rawRefusal(problem, { requestId: ids.uuid(), language, challenge: undefined, headers: [] }));
  };
}

function faultOf(code: string | undefined): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') return fault('head-too-large');
  return fault(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'body-stalled' : 'head-malformed');
}
