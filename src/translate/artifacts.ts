/**
 * Artifacts of a task. iac-code's are shown as they are, as `iac-code.artifact.v1`, each state once. A plain A2A agent
 * gives its answer as one: plain text in it is the agent's words and becomes a text message, piece by piece; data, files
 * and named documents stay an artifact.
 */
import { createHash } from 'node:crypto';
import type { ContentEvent } from '../protocol/events.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
} from '../protocol/json.ts';
import { endText, endTurn, newLane, say } from './lane.ts';
import { type ArtifactTrack, type Memory, wasShown } from './memory.ts';
import { knownPrefixLength, TextTrack } from './text-track.ts';

const maxTracked = 1_024;
const spokenTypes: ReadonlySet<JsonValue | undefined> = new Set([
  undefined,
  '',
  'text/plain',
  'text/markdown',
]);

/** What of an artifact comes in this frame. */
type Extent = 'whole' | 'piece' | 'last-piece' | 'snapshot';

/** An `artifactUpdate`. Pieces of one artifact keep `append` and `lastChunk`, so that a client can put them together. */
export function showArtifactUpdate(memory: Memory, update: JsonObject, out: ContentEvent[]): void {
  const artifact = objectAt(update, 'artifact');
  if (artifact === undefined) return;
  const isLast = update.lastChunk === true;
  const extent = update.append === true ? (isLast ? 'last-piece' : 'piece') : 'whole';
  const track = show(memory, artifact, extent, out);
  if (isLast) endText(track.lane, out);
}

/** The artifacts that a snapshot lists: what of them was not shown yet. */
export function showArtifactsOf(memory: Memory, task: JsonObject, out: ContentEvent[]): void {
  for (const artifact of listAt(task, 'artifacts')) {
    if (isJsonObject(artifact)) show(memory, artifact, 'snapshot', out);
  }
}

/** A pipeline's word that a file was made: shown when the artifact itself was missed, as after a recovery. */
export function showCreatedArtifact(memory: Memory, data: JsonObject, out: ContentEvent[]): void {
  const artifactId = stringAt(data, 'artifactId');
  const url = stringAt(data, 'uri');
  if (artifactId === undefined || url === undefined || memory.artifacts.has(artifactId)) return;
  const { filename, mediaType, byteSize, sha256 } = data;
  const part = defined({ url, filename, mediaType });
  const metadata = defined({ uri: url, byteSize, sha256, mediaType });
  show(memory, defined({ artifactId, name: filename, parts: [part], metadata }), 'whole', out);
}

function show(memory: Memory, artifact: JsonObject, extent: Extent, out: ContentEvent[]): ArtifactTrack {
  const id = stringAt(artifact, 'artifactId') ?? '';
  const isKnown = memory.artifacts.has(id);
  const track = memory.artifacts.get(id) ?? newTrack();
  const parts = listAt(artifact, 'parts');
  const silent = memory.profile === 'a2a' ? parts.filter((part) => !isSpoken(part)) : parts;
  if (silent.length < parts.length) {
    const text = parts.filter(isSpoken).reduce<string>((all, { text: each }) => all + each, '');
    speak(memory, track, text, extent, out);
  }
  remember(memory, id, track);
  // A snapshot spells a known artifact differently from its pieces: it is only shown when it is new.
  if (parts.length > 0 && silent.length === 0) return track;
  if (extent !== 'snapshot' || !isKnown) showSilent(track, { ...artifact, parts: silent }, extent, out);
  return track;
}

function speak(
  memory: Memory,
  track: ArtifactTrack,
  text: string,
  extent: Extent,
  out: ContentEvent[],
): void {
  const isPiece = extent === 'piece' || extent === 'last-piece';
  let fresh = text;
  if (!isPiece && track.text.length === 0) {
    // Shown before: as a message of this run, or by the run that this one continues.
    fresh = wasShown(memory, text) ? '' : text.slice(knownPrefixLength(text, memory.replayable));
    track.text.append(text);
  } else if (isPiece) {
    track.text.append(text);
  } else if (track.text.isPrefixOf(text)) {
    fresh = text.slice(track.text.length);
    track.text.append(fresh);
  } else {
    // An older state than the one shown, or a new one that takes its place: what was said can't be unsaid.
    if (extent === 'snapshot') return;
    endTurn(track.lane, out);
    track.text = new TextTrack();
    track.text.append(text);
  }
  if (fresh !== '') say(track.lane, fresh, memory, out);
}

function showSilent(track: ArtifactTrack, artifact: JsonObject, extent: Extent, out: ContentEvent[]): void {
  const isPiece = extent === 'piece' || extent === 'last-piece';
  const digest = createHash('sha256').update(JSON.stringify(artifact)).digest('hex');
  if (!isPiece && track.digest === digest) return;
  track.digest = digest;
  const pieces = isPiece ? { append: true, lastChunk: extent === 'last-piece' } : {};
  out.push({
    type: 'CUSTOM',
    name: 'iac-code.artifact.v1',
    value: { schemaVersion: 1, ...artifact, ...pieces },
  });
}

function isSpoken(part: JsonValue): part is JsonObject & { readonly text: string } {
  return (
    isJsonObject(part) &&
    typeof part.text === 'string' &&
    spokenTypes.has(part.mediaType) &&
    (part.filename === undefined || part.filename === '')
  );
}

function newTrack(): ArtifactTrack {
  return { digest: undefined, text: new TextTrack(), lane: newLane('artifact') };
}

/** The newest artifacts, the one just shown last. */
function remember({ artifacts }: Memory, id: string, track: ArtifactTrack): void {
  artifacts.delete(id);
  artifacts.set(id, track);
  const oldest = artifacts.size > maxTracked ? artifacts.keys().next().value : undefined;
  if (oldest !== undefined) artifacts.delete(oldest);
}

function defined(members: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
