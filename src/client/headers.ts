/** Headers from several hands: the later ones win, however their names are written. */
export type Headers = Readonly<Record<string, string>>;

/** Names in lower case, as two spellings of one name would be sent as two values. */
export function mergeHeaders(...all: readonly (Headers | undefined)[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const headers of all) {
    for (const [name, value] of Object.entries(headers ?? {})) merged[name.toLowerCase()] = value;
  }
  return merged;
}
