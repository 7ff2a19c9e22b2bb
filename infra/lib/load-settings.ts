/** The settings with what the command line says on top, checked. Shared by `npm run check` and the app. */
import { checkSettings, explain } from './check-settings.ts';
import type { Settings } from './settings-type.ts';

/**
 * Throws an error whose message lists every problem. `imageDigest` (from `-c imageDigest=`) wins over the settings.
 */
export function loadSettings(written: Settings, imageDigest: string | undefined): Settings {
  const settings =
    imageDigest === undefined ? written : { ...written, image: { ...written.image, digest: imageDigest } };
  const problems = checkSettings(settings);
  if (problems.length > 0) throw new SettingsError(explain(problems));
  return settings;
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
