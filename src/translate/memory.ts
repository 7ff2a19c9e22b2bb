/**
 * All that one run must remember between frames, and how it begins and is taken up again.
 *
 * A memory has one owner, the run that reads the frames: translating changes it in place and hands it back, so that a
 * text delta costs no copies. It holds neither text nor frames, only counts, digests and bounded sets of ids; from the
 * same seed, the same frames give the same events.
 */
import { createHash } from 'node:crypto';
import type { ContentEvent, TokenUsage } from '../protocol/events.ts';
import type { FrameFacts } from './facts.ts';
import { type Lane, newLane } from './lane.ts';
import { stepNameOf } from './pipeline/step-name.ts';
import { SeenIds } from './seen-ids.ts';
import { knownPrefixLength, type TextDigest, TextTrack } from './text-track.ts';

/** Same words as `KernelProfile` of the kernel port. */
export type Profile = 'iac-code' | 'a2a';

/** Where a stream is taken up again. */
export interface ResumePoint {
  /** Keys of the pipeline steps that go on: `step:<id>` or `candidate:<candidate>:<id>`. */
  readonly openSteps: readonly string[];
  /** Highest sequence number of a pipeline event that was shown. */
  readonly pipelineSequence: number;
  /** Texts shown before, so that a repeat of them is not shown again. */
  readonly textDigests: readonly TextDigest[];
}

export interface MemorySeed {
  readonly profile: Profile;
  readonly threadId: string;
  readonly runId: string;
  /** Given when the run continues an interrupted one. */
  readonly resume?: ResumePoint;
}

/** What the agent says outside of a pipeline: one upstream message after the other. */
export interface Speech {
  readonly lane: Lane;
  /** Upstream id of the message that is being said, undefined before the first. */
  upstreamId: string | undefined;
  /** The upstream message so far, what an earlier run showed of it included. */
  track: TextTrack;
  /** How the agent repeats a message id: with what is new, or with everything so far. Unknown until the first repeat. */
  growth: 'unknown' | 'delta' | 'cumulative';
  hasSpoken: boolean;
  readonly shownIds: SeenIds;
}

/** A tool call that was started and has no result yet. */
export interface OpenCall {
  readonly lane: Lane;
  hasArguments: boolean;
}

/** The newest state of an artifact that was shown. */
export interface ArtifactTrack {
  /** Of what was shown as an artifact; undefined before the first. */
  digest: string | undefined;
  /** What was shown of it as the agent's words. */
  text: TextTrack;
  readonly lane: Lane;
}

export interface Memory {
  readonly profile: Profile;
  readonly threadId: string;
  /** Short digest of the run id, part of every id made here: no two runs of a thread share one. */
  readonly scope: string;
  readonly isResume: boolean;
  /** Number of the newest id made in this run. */
  serial: number;
  /** The task is reported as failed: what its words then say is its exception. */
  hasFailed: boolean;
  lastFacts: FrameFacts | undefined;
  readonly speech: Speech;
  /** Digests of the texts that earlier runs showed. */
  readonly replayable: readonly TextDigest[];
  /** Digests of the texts of this run, newest last, bounded. */
  readonly digests: TextDigest[];
  readonly openCalls: Map<string, OpenCall>;
  readonly finishedCalls: SeenIds;
  readonly artifacts: Map<string, ArtifactTrack>;
  readonly usage: Map<string, TokenUsage>;
  lastUsage: string | undefined;
  /** Calls of the client's own tools that were handed over to it, in their order. */
  pendingToolCallIds: readonly string[];
  readonly pipeline: PipelineMemory;
}

export interface PipelineMemory {
  /** Who speaks in a pipeline: step by step, candidate by candidate. */
  readonly lanes: Map<string, Lane>;
  /** Open in the business sense; survives the run. */
  readonly openSteps: Set<string>;
  /** Opened on this run's stream. */
  readonly shownSteps: Set<string>;
  readonly seenEvents: SeenIds;
  /** Events up to here were shown by earlier runs. */
  readonly resumeSequence: number;
  sequence: number;
}

const maxDigests = 64;
const rememberedMessages = 512;
const rememberedCalls = 1_024;
const rememberedEvents = 8_192;

export function newMemory({ profile, threadId, runId, resume }: MemorySeed): Memory {
  const sequence = resume?.pipelineSequence ?? 0;
  return {
    profile,
    threadId,
    scope: createHash('sha256').update(runId).digest('hex').slice(0, 12),
    isResume: resume !== undefined,
    serial: 0,
    hasFailed: false,
    lastFacts: undefined,
    speech: {
      lane: newLane('assistant'),
      upstreamId: undefined,
      track: new TextTrack(),
      growth: 'unknown',
      hasSpoken: false,
      shownIds: new SeenIds(rememberedMessages),
    },
    replayable: resume?.textDigests ?? [],
    digests: [],
    openCalls: new Map(),
    finishedCalls: new SeenIds(rememberedCalls),
    artifacts: new Map(),
    usage: new Map(),
    lastUsage: undefined,
    pendingToolCallIds: [],
    pipeline: {
      lanes: new Map(),
      openSteps: new Set(resume?.openSteps),
      shownSteps: new Set(),
      seenEvents: new SeenIds(rememberedEvents),
      resumeSequence: sequence,
      sequence,
    },
  };
}

/** `STEP_STARTED` for the steps that were open when the thread was interrupted, sorted by key. Asked first, once. */
export function reopenSteps(memory: Memory): {
  readonly memory: Memory;
  readonly events: readonly ContentEvent[];
} {
  const { openSteps, shownSteps } = memory.pipeline;
  const keys = [...openSteps].filter((key) => !shownSteps.has(key)).sort();
  for (const key of keys) shownSteps.add(key);
  return { memory, events: keys.map((key) => ({ type: 'STEP_STARTED', stepName: stepNameOf(key) })) };
}

/** The run is about to wait for answers: what was said so far counts as shown. */
export function noteInterrupt(memory: Memory): Memory {
  for (const { text } of memory.artifacts.values()) noteDigest(memory, text);
  noteText(memory);
  return memory;
}

export function resumePoint(memory: Memory): ResumePoint {
  const known = new Map<string, TextDigest>();
  for (const each of [...memory.replayable, ...memory.digests])
    known.set(`${each.length}:${each.digest}`, each);
  return {
    openSteps: [...memory.pipeline.openSteps].sort(),
    pipelineSequence: memory.pipeline.sequence,
    textDigests: [...known.values()].slice(-maxDigests),
  };
}

/** Sums per provider and model of this run, in the order in which they were first seen. */
export function usageOf(memory: Memory): readonly TokenUsage[] {
  return [...memory.usage.values()];
}

/** Notes the digest of the message that is being said. */
export function noteText(memory: Memory): void {
  noteDigest(memory, memory.speech.track);
}

function noteDigest({ digests }: Memory, track: TextTrack): void {
  if (track.length === 0) return;
  const digest = track.digest();
  const last = digests.at(-1);
  if (last?.length === digest.length && last.digest === digest.digest) return;
  digests.push(digest);
  if (digests.length > maxDigests) digests.shift();
}

/** Exactly this text was shown in this run, as one message or one artifact. */
export function wasShown({ speech, digests, artifacts }: Memory, text: string): boolean {
  if (speech.track.length > 0 && speech.track.equals(text)) return true;
  for (const track of artifacts.values()) if (track.text.length > 0 && track.text.equals(text)) return true;
  return (
    digests.some(({ length }) => length === text.length) && knownPrefixLength(text, digests) === text.length
  );
}
