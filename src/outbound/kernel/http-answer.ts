/** What an HTTP response of an agent is: its JSON, within bounds of size and time, or which failure it stands for. */
import type { IncomingMessage } from 'node:http';
import { KernelError } from '../../errors/kernel-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json.ts';
import { isJsonMediaType, mediaTypeOf } from '../../wire/media-type.ts';
import { toKernelError } from './pinned-http.ts';

export interface BodyBounds {
  readonly maxBytes: number;
  /** Longest silence inside the body; `Infinity` for none. */
  readonly idleMs: number;
}

/** The whole body as text. Rejects with `unavailable` when it breaks off or stalls, with `breach` when it is too large. */
export function readBody(response: IncomingMessage, { maxBytes, idleMs }: BodyBounds): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error: KernelError): void => {
      clearTimeout(timer);
      reject(error);
      response.destroy();
    };
    const stall = (): void =>
      stop(new KernelError('unavailable', `the agent's answer stalled for ${idleMs} ms`));
    const timer = Number.isFinite(idleMs) ? setTimeout(stall, idleMs) : undefined;
    response.on('data', (chunk: Buffer) => {
      timer?.refresh();
      size += chunk.byteLength;
      if (size > maxBytes)
        stop(new KernelError('breach', `the agent's answer is larger than ${maxBytes} bytes`));
      else chunks.push(chunk);
    });
    response.on('end', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks, size).toString('utf8'));
    });
    response.on('error', (cause) => stop(toKernelError(cause)));
    response.on('close', () => stop(new KernelError('unavailable', 'the agent broke off its answer')));
  });
}

export function isSuccess(response: IncomingMessage): boolean {
  const status = response.statusCode ?? 0;
  return status >= 200 && status < 300;
}

/** The failure that a status outside 2xx stands for. */
export function statusError(response: IncomingMessage, what: string): KernelError {
  const status = response.statusCode ?? 0;
  if (status === 401 || status === 403) {
    return new KernelError(
      'unavailable',
      `${what}: the agent does not accept our credentials (HTTP ${status})`,
    );
  }
  if (status >= 300 && status < 400) {
    return new KernelError('unavailable', `${what}: redirects are not followed (HTTP ${status})`);
  }
  return new KernelError('unavailable', `${what}: HTTP ${status}`);
}

export function isJsonResponse(response: IncomingMessage): boolean {
  return isJsonMediaType(mediaTypeOf(response.headers['content-type']));
}

/** The answer is neither what was asked for nor JSON. */
export function mediaTypeError(response: IncomingMessage, what: string): KernelError {
  const mediaType = mediaTypeOf(response.headers['content-type'])?.slice(0, 60) ?? 'no media type';
  return new KernelError('breach', `${what}: the agent answered with ${mediaType}`);
}

/** JSON text that must hold an object. */
export function parseObject(text: string, what: string): JsonObject {
  const value = tryParse(text);
  if (!isJsonObject(value)) throw new KernelError('breach', `${what}: the agent's answer is no JSON object`);
  return value;
}

/** JSON text as a value, or undefined when it is none. */
export function tryParse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
