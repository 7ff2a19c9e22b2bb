/** The one place that reads `Content-Type` and `Accept`. */

/** The media type of a `Content-Type` header: lower case, without parameters. */
export function mediaTypeOf(header: string | undefined): string | undefined {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}

/** True for `application/json` and the `+json` family. */
export function isJsonMediaType(mediaType: string | undefined): boolean {
  return (
    mediaType === 'application/json' ||
    (mediaType?.startsWith('application/') === true && mediaType.endsWith('+json'))
  );
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** The media ranges of an `Accept` header in the order given. */
function rangesOf(header: string): readonly Range[] {
  return header.split(',', 50).map((item) => {
    const [type = '', ...parameters] = item.split(';');
    const q = parameters.map((each) => each.trim().toLowerCase()).find((each) => each.startsWith('q='));
    const quality = q === undefined ? 1 : Number(q.slice(2));
    return { type: type.trim().toLowerCase(), quality: Number.isFinite(quality) ? quality : 0 };
  });
}

/** Whether a client with this `Accept` header can be given `mediaType` (no header, or an empty one, takes anything). */
export function accepts(header: string | undefined, mediaType: string): boolean {
  if (header === undefined || header.trim() === '') return true;
  const [family] = mediaType.split('/');
  let best = { rank: 0, quality: 0 };
  for (const { type, quality } of rangesOf(header)) {
    const rank = type === mediaType ? 3 : type === `${family}/*` ? 2 : type === '*/*' ? 1 : 0;
    if (rank > best.rank) best = { rank, quality };
  }
  return best.rank > 0 && best.quality > 0;
}

/** Whether the header names `mediaType` itself, and not just a wildcard that covers it. */
export function asksFor(header: string | undefined, mediaType: string): boolean {
  return (
    header !== undefined && rangesOf(header).some(({ type, quality }) => type === mediaType && quality > 0)
  );
}
