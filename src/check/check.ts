/**
 * What a check is: data. An id, the sentence of the contract that it proves, where that stands, how bad a breach is, and
 * `prove`, which looks at the subject and says what it found. The runner alone knows of time, order and outcome.
 */
import type { ImageArchive } from './image-archive.ts';
import type { Lab } from './lab.ts';

/**
 * `error`: the contract is broken, and a client or the platform will notice. `warning`: it works, but something that users
 * or the platform rely on is missing. `info`: worth knowing.
 */
export const severities = ['info', 'warning', 'error'] as const;
export type Severity = (typeof severities)[number];

export type Verdict =
  | { readonly kind: 'passed' }
  /** `sent` and `seen` are for a person: what went out, what came back. */
  | { readonly kind: 'failed'; readonly why: string; readonly sent: string; readonly seen: string }
  /** It can't be told here, or does not apply; never because something went wrong. */
  | { readonly kind: 'skipped'; readonly why: string };

interface Sentence {
  /** `noun.what`, the same as in our own manifest of the contract where it has the sentence. */
  readonly id: string;
  readonly sentence: string;
  readonly source: string;
  readonly severity: Severity;
}

/** Proven on the wire. */
export interface WireCheck extends Sentence {
  readonly on: 'http' | 'ws';
  prove(lab: Lab): Verdict | Promise<Verdict>;
}

/** Proven on an image archive. */
export interface ImageCheck extends Sentence {
  readonly on: 'image';
  prove(image: ImageArchive): Verdict;
}

export type Check = WireCheck | ImageCheck;

export const passed: Verdict = { kind: 'passed' };

export function skipped(why: string): Verdict {
  return { kind: 'skipped', why };
}

export function failed(
  why: string,
  { sent, seen }: { readonly sent: string; readonly seen: string },
): Verdict {
  return { kind: 'failed', why, sent, seen };
}

/** Names of the sources, so that each is spelled once. */
export const source = {
  contract: (section: string) => `AgentCore AG-UI protocol contract, ${section}`,
  platform: (topic: string) => `AgentCore Runtime, ${topic}`,
  agui: (topic: string) => `AG-UI 1.0, ${topic}`,
} as const;
