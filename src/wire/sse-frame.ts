/**
 * JSON text → Server-Sent Events text, as the AG-UI binding wants it: `data: <json>` and a blank line, LF only. JSON has
 * no raw line break, so no payload can end a frame early.
 */

/** One event. With `id`, a client may ask for what followed it (`attach`, or the Last-Event-ID of a browser). */
export function sseFrame(json: string, id?: number): string {
  return id === undefined ? `data: ${json}\n\n` : `id: ${id}\ndata: ${json}\n\n`;
}

/** Not an event: keeps idle connections open, and every client ignores it. */
export const heartbeatFrame = ': heartbeat\n\n';

export const eventStreamMediaType = 'text/event-stream';
