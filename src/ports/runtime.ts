/** Time, chance and the log, so that nothing else reads them behind a test's back. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls back once after `ms`; the result ends the timer. Does not hold the process. */
  after(ms: number, callback: () => void): () => void;
}

export interface Ids {
  /** A random UUID, fresh from the operating system's generator. */
  uuid(): string;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log. Message text of users and agents, and secrets, are never given to it. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  child(fields: LogFields): Log;
}

export interface SecretKeeper {
  /** Nothing that is written down holds these values, until the result is called. */
  conceal(values: readonly string[]): () => void;
}

export interface Runtime {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Where requests bring secrets that others may repeat to us. */
  readonly secrets?: SecretKeeper;
}
