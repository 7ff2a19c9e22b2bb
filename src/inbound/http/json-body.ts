/** Reads one JSON object from a request: media type, size, time, UTF-8, JSON, each with its own fault. */
import type { IncomingMessage } from 'node:http';
import { type Fault, fault } from '../../errors/fault.ts';
import type { Clock } from '../../ports/runtime.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { parseJsonBytes } from '../../wire/json-text.ts';
import { isJsonMediaType, mediaTypeOf } from '../../wire/media-type.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** A body that brings nothing for this long is given up. */
  readonly stallMs: number;
  /** A body that is not complete after this time is given up, however steadily it drips. */
  readonly totalMs: number;
}

/** Rejects with a fault, also when the peer leaves before the body is complete (`body-stalled`). */
export async function readJsonObject(
  request: IncomingMessage,
  limits: BodyLimits,
  clock: Clock,
): Promise<JsonObject> {
  const mediaType = mediaTypeOf(request.headers['content-type']);
  if (!isJsonMediaType(mediaType)) throw fault('media-type-unsupported', { given: mediaType ?? '' });
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw fault('media-type-unsupported', { given: `Content-Encoding ${encoding}` });
  const parsed = parseJsonBytes(await readBytes(request, limits, clock));
  if (!parsed.ok) throw parsed.fault;
  if (!isJsonObject(parsed.value)) throw fault('body-not-an-object');
  return parsed.value;
}

function readBytes(request: IncomingMessage, limits: BodyLimits, clock: Clock): Promise<Uint8Array> {
  const tooLarge = (): Fault => fault('body-too-large', { limit: limits.maxBytes });
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let endStall = clock.after(limits.stallMs, stalled);
    const endTotal = clock.after(limits.totalMs, stalled);

    function stop(): void {
      endStall();
      endTotal();
      request.off('data', take).off('end', finish).off('close', stalled).off('error', stalled);
    }
    function take(chunk: Buffer): void {
      size += chunk.length;
      if (size > limits.maxBytes) {
        stop();
        request.pause();
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
      endStall();
      endStall = clock.after(limits.stallMs, stalled);
    }
    function finish(): void {
      stop();
      resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks, size));
    }
    function stalled(): void {
      stop();
      request.pause();
      reject(fault('body-stalled'));
    }
    request.on('data', take).once('end', finish).once('close', stalled).once('error', stalled);
  });
}
