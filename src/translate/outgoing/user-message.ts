/**
 * The newest user message as an A2A message: text and inline images, under the limits of the iac-code AG-UI reference.
 * Nothing is fetched and no image is decoded; an image must begin like what it says it is.
 */
import { createHash } from 'node:crypto';
import { fault } from '../../errors/fault.ts';
import type { A2aMessage, A2aPart } from '../../protocol/a2a.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../protocol/json.ts';
import type { InputMessage } from '../../protocol/run-input.ts';

export interface UserMessage {
  readonly message: A2aMessage;
  /** Kinds of parts that were left out, for the log. */
  readonly skipped: readonly string[];
}

export interface MessageRules {
  /** True refuses parts that can't be used; false leaves them out, as AG-UI 1.0 wants it. */
  readonly strictContent: boolean;
}

const maxImageBytes = 8 * 1024 * 1024;
const maxImagesBytes = 10 * 1024 * 1024;
const lawfulMessageId = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Throws `message-missing`, `content-unsupported` or one of the `media-…` faults. */
export function userMessage(messages: readonly InputMessage[], rules: MessageRules): UserMessage {
  const newest = messages.findLast(({ role }) => role === 'user');
  if (newest === undefined) throw fault('message-missing');
  const { parts, skipped } = partsOf(newest.content, rules);
  if (parts.length === 0)
    throw fault(skipped.length > 0 ? 'content-unsupported' : 'message-missing', firstOf(skipped));
  return { message: { messageId: messageIdOf(newest.id), role: 'ROLE_USER', parts }, skipped };
}

/** A message without words, for a request that only brings results of the client's tools: those ride in its input. */
export function resultsOnly(id: string): A2aMessage {
  return { messageId: messageIdOf(id), role: 'ROLE_USER', parts: [] };
}

function firstOf(skipped: readonly string[]): { readonly type: string } {
  return { type: skipped[0] ?? '' };
}

/** A2A kernels take few characters in an id; AG-UI ids are free. */
function messageIdOf(id: string): string {
  return lawfulMessageId.test(id) ? id : `agui-${createHash('sha256').update(id).digest('hex')}`;
}

function partsOf(
  content: JsonValue | undefined,
  rules: MessageRules,
): { readonly parts: readonly A2aPart[]; readonly skipped: readonly string[] } {
  if (typeof content === 'string') return { parts: [{ text: content }], skipped: [] };
  const parts: A2aPart[] = [];
  const skipped: string[] = [];
  let imageBytes = 0;
  for (const part of Array.isArray(content) ? (content as readonly JsonValue[]) : []) {
    if (!isJsonObject(part)) continue;
    const refusal = refusalOf(part);
    if (refusal !== undefined) {
      if (rules.strictContent) throw refusal;
      skipped.push(stringAt(part, 'type') ?? '');
    } else if (part.type === 'text') {
      parts.push({ text: stringAt(part, 'text') ?? '' });
    } else {
      const image = readImage(part, parts.length + 1);
      imageBytes += image.bytes;
      if (imageBytes > maxImagesBytes) throw fault('media-too-large-together', { limit: maxImagesBytes });
      parts.push(image.part);
    }
  }
  return { parts, skipped };
}

/** What a kernel of this kind can't be given at all. */
function refusalOf(part: JsonObject) {
  if (part.type === 'text') return undefined;
  if (part.type !== 'image') return fault('content-unsupported', { type: stringAt(part, 'type') ?? '' });
  return stringAt(objectAt(part, 'source'), 'type') === 'data' ? undefined : fault('media-remote');
}

function readImage(part: JsonObject, position: number): { readonly part: A2aPart; readonly bytes: number } {
  const source = objectAt(part, 'source');
  const mediaType = (stringAt(source, 'mimeType') ?? '').toLowerCase();
  const isMagic = Object.hasOwn(signatures, mediaType) ? signatures[mediaType] : undefined;
  if (isMagic === undefined) throw fault('media-type-not-an-image', { given: mediaType.slice(0, 60) });
  const value = stringAt(source, 'value') ?? '';
  if (!isBase64(value)) throw fault('media-not-base64');
  const bytes = decodedLength(value);
  if (bytes > maxImageBytes) throw fault('media-too-large', { limit: maxImageBytes });
  if (!isMagic(Buffer.from(value.slice(0, 32), 'base64'))) throw fault('media-undecodable');
  const filename = filenameOf(part, position);
  return { bytes, part: { raw: value, filename, mediaType } };
}

function isBase64(value: string): boolean {
  return value.length > 0 && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

function decodedLength(value: string): number {
  return (value.length / 4) * 3 - (value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0);
}

const startsWith =
  (...bytes: readonly number[]) =>
  (head: Uint8Array): boolean =>
    bytes.every((byte, index) => head[index] === byte);

const signatures: Readonly<Record<string, (head: Uint8Array) => boolean>> = {
  'image/png': startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'image/jpeg': startsWith(0xff, 0xd8, 0xff),
  'image/gif': startsWith(0x47, 0x49, 0x46, 0x38),
  'image/webp': (head) =>
    startsWith(0x52, 0x49, 0x46, 0x46)(head) && startsWith(0x57, 0x45, 0x42, 0x50)(head.subarray(8)),
};

/** A bare, harmless file name, or a numbered one of ours. */
function filenameOf(part: JsonObject, position: number): string {
  const given = stringAt(objectAt(part, 'metadata'), 'filename') ?? '';
  const isSafe =
    given !== '' &&
    Buffer.byteLength(given) <= 255 &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here.
    !/[\u0000-\u001f\u007f<>:"/\\|?*]/.test(given) &&
    !/[ .]$/.test(given) &&
    !/^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)/i.test(given);
  return isSafe ? given : `agui-image-${position}`;
}
