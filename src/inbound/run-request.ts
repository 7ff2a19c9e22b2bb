/** A request's JSON body → what the engine is asked to run. The same for both doors and for HTTP and WebSocket. */
import type { Caller, Door, RunRequest } from '../application/run-service.ts';
import { fault } from '../errors/fault.ts';
import { chooseLanguage, type Language } from '../language/choose-language.ts';
import type { Log } from '../ports/runtime.ts';
import { protocolVersion } from '../protocol/events.ts';
import { type IacCodeProps, parseIacCodeProps } from '../protocol/forwarded-props.ts';
import { isJsonObject, type JsonObject, objectAt, stringAt } from '../protocol/json.ts';
import { parseRunInput, type RunAgentInput } from '../protocol/run-input.ts';
import type { Audience } from './stream/dialect.ts';

export interface RequestSetting {
  readonly door: Door;
  readonly caller: Caller;
  readonly fallbackLanguage: Language;
  readonly log: Log;
  /** Told what is known of the request as soon as it is, so that a fault further on is told in the right words. */
  readonly learn: (known: Partial<Omit<Audience, 'door' | 'requestId'>>) => void;
}

/** Throws `envelope-invalid`, `protocol-version-unsupported`, `extension-missing` or `extension-invalid`. */
export function readRunRequest(body: JsonObject, setting: RequestSetting): RunRequest {
  const language = languageOf(body, setting);
  setting.learn({ language, ...namesOf(body), isModern: typeof body.protocolVersion === 'string' });
  const parsed = parseRunInput(body);
  if (!parsed.ok) throw fault('envelope-invalid', { ...parsed.problem });
  if (parsed.dropped.length > 0) {
    setting.log.info('unknown members ignored', { members: [...new Set(parsed.dropped)].slice(0, 20) });
  }
  checkVersion(parsed.input, setting.log);
  return {
    door: setting.door,
    caller: setting.caller,
    input: parsed.input,
    props: propsOf(parsed.input, setting.door),
    body,
    language,
  };
}

function languageOf(body: JsonObject, setting: RequestSetting): Language {
  return chooseLanguage({
    preferred: stringAt(objectAt(objectAt(body, 'forwardedProps'), 'iacCode'), 'preferredLanguage'),
    acceptLanguage: setting.caller.acceptLanguage,
    fallback: setting.fallbackLanguage,
  });
}

/** The ids of an input that may still turn out to be malformed, for the faults that name their run. */
function namesOf(body: JsonObject): { threadId: string | undefined; runId: string | undefined } {
  const short = (value: string | undefined): string | undefined =>
    value !== undefined && value.length <= 1024 && value.isWellFormed() ? value : undefined;
  return { threadId: short(stringAt(body, 'threadId')), runId: short(stringAt(body, 'runId')) };
}

/** AG-UI 1.0: a newer minor version is served, only a foreign major one may be refused. */
function checkVersion(input: RunAgentInput, log: Log): void {
  const given = input.protocolVersion;
  if (given === undefined || given === protocolVersion) return;
  const match = /^(\d{1,6})\.(\d{1,6})$/.exec(given);
  if (match === null || match[1] === protocolVersion.split('.')[0]) {
    log.warn('protocol version of the client is not ours', { supported: protocolVersion });
    return;
  }
  throw fault('protocol-version-unsupported', { given, supported: protocolVersion });
}

function propsOf(input: RunAgentInput, door: Door): IacCodeProps | undefined {
  const value = isJsonObject(input.forwardedProps) ? input.forwardedProps.iacCode : undefined;
  if (value === undefined || value === null) {
    if (door === 'iac-code') throw fault('extension-missing');
    return undefined;
  }
  const parsed = parseIacCodeProps(value);
  if (!parsed.ok) throw fault('extension-invalid', { ...parsed.problem });
  return parsed.props;
}
