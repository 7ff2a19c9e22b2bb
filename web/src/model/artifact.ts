/**
 * Artifacts: what the agent made, as parts that can be previewed or downloaded. Nothing is fetched: a part whose content
 * lies elsewhere is shown by its name, and as a link when the address is an http one.
 */
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/protocol/json.ts';
import type { Before } from './apply-event.ts';
import { findItem, upsertItem } from './items.ts';
import type { ArtifactItem, ArtifactPart, Item } from './thread.ts';

export function showArtifact(items: readonly Item[], value: JsonObject, before: Before): readonly Item[] {
  const id = stringAt(value, 'artifactId') ?? '';
  const parts = listAt(value, 'parts')
    .filter(isJsonObject)
    .map((part) => readPart(part, value));
  const shown = findItem(items, 'artifact', id);
  const isPiece = value['append'] === true && shown !== undefined;
  const name =
    stringAt(value, 'name') ?? parts.find(({ filename }) => filename !== undefined)?.filename ?? id;
  // An agent may give each version of a file an id of its own: then the name tells what it takes the place of.
  const namesake = items.findLast((item) => item.kind === 'artifact' && item.name === name);
  const older = shown ?? (namesake?.kind === 'artifact' ? namesake : undefined);
  const previous = isPiece ? shown.previous : (textOf(older) ?? before.artifactText(id, name));
  const fresh: ArtifactItem = { kind: 'artifact', id, name, parts: [] };
  return upsertItem(items, 'artifact', fresh, (item) => ({
    ...item,
    name: isPiece ? item.name : name,
    parts: isPiece ? joined(item.parts, parts) : parts,
    ...(previous === undefined || previous === textIn(parts) ? {} : { previous }),
  }));
}

/** The text of an artifact that is one text, as a template is. */
export function textOf(artifact: ArtifactItem | undefined): string | undefined {
  return artifact === undefined ? undefined : textIn(artifact.parts);
}

function textIn(parts: readonly ArtifactPart[]): string | undefined {
  return parts.length === 1 ? parts[0]?.text : undefined;
}

function readPart(part: JsonObject, artifact: JsonObject): ArtifactPart {
  const mediaType =
    stringAt(part, 'mediaType') ?? stringAt(objectAt(artifact, 'metadata'), 'mediaType') ?? 'text/plain';
  const data = part['data'];
  const text =
    stringAt(part, 'text') ?? (data === undefined ? undefined : JSON.stringify(data, undefined, 2));
  const filename = stringAt(part, 'filename');
  const raw = stringAt(part, 'raw');
  const url = stringAt(part, 'url');
  return {
    mediaType,
    ...(filename === undefined ? {} : { filename }),
    ...(text === undefined ? {} : { text }),
    ...(raw === undefined ? {} : { raw }),
    ...(url === undefined ? {} : { url }),
  };
}

/** Pieces of one text go on where it ended; everything else is one more part. */
function joined(shown: readonly ArtifactPart[], more: readonly ArtifactPart[]): readonly ArtifactPart[] {
  const last = shown.at(-1);
  const [next, ...rest] = more;
  if (last?.text === undefined || next?.text === undefined || last.filename !== next.filename) {
    return [...shown, ...more];
  }
  return [...shown.slice(0, -1), { ...last, text: last.text + next.text }, ...rest];
}

const pictures: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
]);

/** How a part can be shown. An SVG goes into an `img`, where it can neither run scripts nor load anything. */
export function previewOf(part: ArtifactPart): 'text' | 'picture' | 'none' {
  if (part.text !== undefined) return part.mediaType === 'image/svg+xml' ? 'picture' : 'text';
  return part.raw !== undefined && pictures.has(part.mediaType) ? 'picture' : 'none';
}
