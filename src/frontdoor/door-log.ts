/** What the front door tells about itself: one event at a time, to whoever runs it. Holds no token, secret or message. */
export type DoorLog = (event: string, fields?: Readonly<Record<string, unknown>>) => void;

/** A wrong `/ping`, in a sentence; told once per kind and session. */
export interface PingReport {
  readonly kind:
    | 'status-unknown'
    | 'body-not-json'
    | 'media-type'
    | 'stamp-not-integer'
    | 'stamp-in-milliseconds'
    | 'stamp-in-the-future'
    | 'stamp-always-advances'
    | 'busy-without-stamp';
  readonly text: string;
}
