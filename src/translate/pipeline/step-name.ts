/** What a step is called on the wire: its plain id, and the whole key where candidates run side by side. */
export function stepNameOf(key: string): string {
  return key.startsWith('step:') ? key.slice('step:'.length) : key;
}
