/** Artifacts of a task as `iac-code.artifact.v1`: the A2A artifact itself, each state of it once. */
import { createHash } from 'node:crypto';
import type { ContentEvent } from '../protocol/events.ts';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../protocol/json.ts';
import type { Memory } from './memory.ts';

/** The newest state of an artifact that was shown. */
export interface ArtifactTrack {
  readonly digest: string;
}

const maxTracked = 1_024;

/** An `artifactUpdate`. Pieces of one artifact keep `append` and `lastChunk`, so that a client can put them together. */
export function showArtifactUpdate(memory: Memory, update: JsonObject, out: ContentEvent[]): void {
  const artifact = objectAt(update, 'artifact');
  if (artifact === undefined) return;
  const pieces = update.append === true ? { append: true, lastChunk: update.lastChunk === true } : {};
  show(memory, artifact, pieces, out);
}

/** The artifacts that a snapshot lists: those that were not shown yet. */
export function showArtifactsOf(memory: Memory, task: JsonObject, out: ContentEvent[]): void {
  for (const artifact of listAt(task, 'artifacts')) {
    if (isJsonObject(artifact) && !memory.artifacts.has(idOf(artifact))) show(memory, artifact, {}, out);
  }
}

function show(memory: Memory, artifact: JsonObject, pieces: JsonObject, out: ContentEvent[]): void {
  const id = idOf(artifact);
  const digest = createHash('sha256')
    .update(JSON.stringify([artifact, pieces]))
    .digest('hex');
  const isPiece = pieces.append === true;
  if (!isPiece && memory.artifacts.get(id)?.digest === digest) return;
  memory.artifacts.delete(id);
  memory.artifacts.set(id, { digest });
  const oldest = memory.artifacts.size > maxTracked ? memory.artifacts.keys().next().value : undefined;
  if (oldest !== undefined) memory.artifacts.delete(oldest);
  out.push({
    type: 'CUSTOM',
    name: 'iac-code.artifact.v1',
    value: { schemaVersion: 1, ...artifact, ...pieces },
  });
}

function idOf(artifact: JsonObject): string {
  return stringAt(artifact, 'artifactId') ?? '';
}
