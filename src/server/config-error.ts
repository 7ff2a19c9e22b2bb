/** What stops a start: one line that names the setting and says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A value as it may be repeated in that line. */
export function shown(value: string): string {
  return value.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
}
