/** The whole body of a request, within a limit: the signature is over all of it. */
import type { IncomingMessage } from 'node:http';
import { PlatformError } from './platform-error.ts';

/** Throws `ValidationException` when it is larger; the rest is read and forgotten, so that the answer gets through. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A loop over the request would destroy the connection when it is left early.
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      request.off('data', onData);
      request.resume();
      reject(new PlatformError('ValidationException', `the payload is larger than ${maxBytes} bytes`));
    };
    request.on('data', onData);
    request.once('end', resolve);
    request.once('error', reject);
    request.once('close', () =>
      reject(new PlatformError('ValidationException', 'the request was broken off')),
    );
  });
  return Buffer.concat(chunks, size);
}
