/**
 * Addresses beside the data plane, for whoever tests in another language: `GET /_frontdoor/sessions` shows the sessions
 * with their wrong pings, `PUT /_frontdoor/faults` replaces the rules of faults on demand. Not part of the platform.
 *
 * Only JSON is taken, and only without an `Origin`: a page in a browser must not steer a server on this machine.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonMediaType, mediaTypeOf } from '../wire/media-type.ts';
import type { DataPlane } from './data-plane.ts';
import { parseFaultRules } from './fault-rules.ts';
import { toPlatformError } from './platform-error.ts';
import { readBody } from './read-body.ts';
import { answerJson } from './refuse.ts';

const prefix = '/_frontdoor/';
const maxBodyBytes = 1024 * 1024;

export function isSteering({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(prefix);
}

/** Never rejects. */
export async function steer(
  request: IncomingMessage,
  response: ServerResponse,
  plane: DataPlane,
): Promise<void> {
  try {
    const { method, url, headers } = request;
    const asked = `${method} ${url}`;
    if (headers.origin !== undefined) return answerJson(response, 403, { message: 'not for pages' });
    if (asked === `GET ${prefix}sessions`) {
      return answerJson(response, 200, { sessions: plane.desks.flatMap(({ sessions }) => sessions.views()) });
    }
    if (asked !== `PUT ${prefix}faults`) return answerJson(response, 404, { message: 'no such address' });
    if (!isJsonMediaType(mediaTypeOf(headers['content-type']))) {
      return answerJson(response, 415, { message: 'send application/json' });
    }
    const rules: unknown = JSON.parse((await readBody(request, maxBodyBytes)).toString('utf8'));
    plane.faults.replace(parseFaultRules(rules));
    answerJson(response, 200, {});
  } catch (thrown) {
    const isTold = thrown instanceof Error && ['FaultRuleError', 'SyntaxError'].includes(thrown.name);
    answerJson(response, 400, { message: isTold ? thrown.message : toPlatformError(thrown).message });
  }
}
