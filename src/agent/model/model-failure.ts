/**
 * Why a model gave no answer, in six kinds that a person can do something about. What the provider said is not kept: its
 * words may repeat the request and the key.
 */
import { APICallError, LoadAPIKeyError, LoadSettingError, RetryError } from 'ai';
import { isJsonObject, type JsonValue, stringAt } from '../../protocol/json.ts';

export type FailureKind = 'busy' | 'away' | 'denied' | 'filtered' | 'too-long' | 'unusable';

/** Carries no cause on purpose: it goes to the log. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: FailureKind;
  /** HTTP status of the provider, where there was one. */
  readonly status: number | undefined;

  constructor(kind: FailureKind, status?: number) {
    super(`the model gave no answer: ${kind}${status === undefined ? '' : `, HTTP ${status}`}`);
    this.kind = kind;
    this.status = status;
  }
}

const throttled =
  /thrott|rate.?limit|too.?many.?requests|overload|capacity|service.?unavailable|model.?not.?ready/i;
const filtered = /content.?filter|content.?policy|guardrail/i;
const denied =
  /access.?denied|unauthori[sz]ed|invalid.?api.?key|unrecognizedclient|expired.?token|credential/i;
const tooLong =
  /context.?(length|window|size)|too long|too many (input )?tokens|maximum.{0,40}tokens|input length/i;
const refused = /validation|invalid.?request|not.?found/i;

export function toModelFailure(thrown: unknown): ModelFailure {
  if (thrown instanceof ModelFailure) return thrown;
  if (RetryError.isInstance(thrown)) return toModelFailure(thrown.lastError);
  if (LoadAPIKeyError.isInstance(thrown) || LoadSettingError.isInstance(thrown))
    return new ModelFailure('denied');
  const said = kindOfWords(wordsOf(thrown));
  const status = statusOf(thrown);
  if (status === undefined) return new ModelFailure(said ?? 'away');
  if (status === 429 || status === 529) return new ModelFailure('busy', status);
  if (status === 401 || status === 403) return new ModelFailure('denied', status);
  if (status >= 500) return new ModelFailure(said === 'busy' ? said : 'away', status);
  // Below 400 the answer came and could not be read; 424 is a model that failed at its work.
  if (status < 400 || status === 424) return new ModelFailure(said ?? 'away', status);
  if (status === 413) return new ModelFailure('too-long', status);
  return new ModelFailure(said === undefined || said === 'denied' ? 'unusable' : said, status);
}

/** Calls have it, and so have the errors that Bedrock puts into its stream. */
function statusOf(thrown: unknown): number | undefined {
  const isObject = typeof thrown === 'object' && thrown !== null;
  const status = isObject && 'statusCode' in thrown ? thrown.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

function kindOfWords(words: string): FailureKind | undefined {
  if (throttled.test(words)) return 'busy';
  if (filtered.test(words)) return 'filtered';
  if (denied.test(words)) return 'denied';
  if (tooLong.test(words)) return 'too-long';
  return refused.test(words) ? 'unusable' : undefined;
}

/** An error in the middle of a stream is whatever the provider put there: an object, a text or an exception. */
function wordsOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  if (APICallError.isInstance(thrown)) return `${thrown.message} ${thrown.responseBody ?? ''}`;
  if (thrown instanceof Error) return `${thrown.name} ${thrown.message}`;
  // Read from JSON by the provider's parser.
  const value = thrown as JsonValue;
  if (!isJsonObject(value)) return '';
  return (
    ['type', 'code', 'name', 'message'].map((name) => stringAt(value, name) ?? '').join(' ') ||
    JSON.stringify(value)
  );
}
