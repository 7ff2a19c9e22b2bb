/** Bodies as pieces of bytes, the same from `fetch` and from the AWS SDK. */

/** Every browser's streams, also where they can't be iterated. Leaving the loop early cancels the stream. */
export async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (stream === null) return;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A stream that has already failed refuses to be cancelled; its failure has been told by `read`.
    await reader.cancel().catch(() => undefined);
  }
}

/** The text of at most so many bytes; the rest is not read, and what breaks off is what there was. */
export async function boundedText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let room = maxBytes;
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk.subarray(0, room), { stream: true });
      room -= chunk.length;
      if (room <= 0) break;
    }
  } catch {
    // A refusal that was cut off still has its status and its beginning.
  }
  return text + decoder.decode();
}
