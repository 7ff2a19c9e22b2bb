/** What a whole check is told: where the subject is, how to come in, what to say to it, and how long all may take. */
import type { Credentials } from '../client/credentials.ts';

export interface Settings {
  /** The container's base address, or the whole address of its invocations. */
  readonly url: string;
  readonly credentials: Extract<Credentials, { type: 'none' | 'bearer' }>;
  /** Added to every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether `/ws` is proven too. */
  readonly hasWebSocket: boolean;
  readonly prompts: Prompts;
  /** `forwardedProps` of every run. */
  readonly forwardedProps: Readonly<Record<string, unknown>>;
  /** Between two pings at rest, in milliseconds: more than a second, as stamps are whole seconds. */
  readonly restMs: number;
  /** The longest wait for one answer, in milliseconds. */
  readonly answerMs: number;
  /** The longest time of all checks together, in milliseconds. */
  readonly totalMs: number;
}

export interface Prompts {
  /** Anything that the agent answers in words. */
  readonly usual: string;
  /** Makes the agent be silent for longer than 15 s. */
  readonly slow?: string | undefined;
  /** Makes the agent fail after it has begun. */
  readonly failing?: string | undefined;
}

export const defaultSettings = {
  credentials: { type: 'none' },
  headers: {},
  hasWebSocket: false,
  prompts: { usual: 'Hello, agent!' },
  forwardedProps: {},
  restMs: 1_100,
  answerMs: 20_000,
  totalMs: 60_000,
} as const;
