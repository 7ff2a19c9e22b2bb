/** Words, files and JSON of the command line → the parts of a `RunAgentInput`. Throws `UsageError`. */
import { readFileSync } from 'node:fs';
import { protocolVersion } from '../protocol/events.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../protocol/json.ts';
import { readText } from './connection-options.ts';
import { UsageError } from './usage-error.ts';

export interface Turn {
  readonly threadId: string;
  readonly runId: string;
  readonly text: string | undefined;
  readonly files: readonly JsonObject[];
  readonly forwardedProps: JsonObject;
  readonly resume: readonly JsonValue[] | undefined;
}

export type TurnInput = JsonObject & { readonly threadId: string; readonly runId: string };

export function toInput({ threadId, runId, text, files, forwardedProps, resume }: Turn): TurnInput {
  const parts = text === undefined || text === '' ? files : [{ type: 'text', text }, ...files];
  const content = files.length === 0 ? (text ?? '') : parts;
  const isSilent = resume !== undefined && parts.length === 0;
  return {
    threadId,
    runId,
    protocolVersion,
    state: {},
    messages: isSilent ? [] : [{ id: `${runId}-user`, role: 'user', content }],
    tools: [],
    context: [],
    forwardedProps,
    ...(resume === undefined ? {} : { resume }),
  };
}

/** JSON text, or `@path` of a file that holds it. */
export function readJson(given: string, flag: string): JsonValue {
  const text = given.startsWith('@') ? readText(given.slice(1)) : given;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new UsageError(`${flag} is not JSON (write the JSON itself, or @ and the path of a file)`);
  }
}

export function readJsonObject(given: string, flag: string): JsonObject {
  const value = readJson(given, flag);
  if (isJsonObject(value)) return value;
  throw new UsageError(`${flag} must be a JSON object`);
}

export function readJsonList(given: string, flag: string): readonly JsonValue[] {
  const value = readJson(given, flag);
  if (Array.isArray(value)) return value;
  throw new UsageError(`${flag} must be a JSON list`);
}

/** An image file as a part of a user message. */
export function readImage(path: string): JsonObject {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new UsageError(`can't read ${path}`);
  }
  const mimeType = imageTypeOf(bytes);
  if (mimeType === undefined) throw new UsageError(`${path} is not a PNG, JPEG, GIF or WebP image`);
  return { type: 'image', source: { type: 'data', value: bytes.toString('base64'), mimeType } };
}

/** By its first bytes, as names lie. */
function imageTypeOf(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 12).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  return start.startsWith('RIFF') && start.slice(8) === 'WEBP' ? 'image/webp' : undefined;
}
