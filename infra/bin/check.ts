/** `npm run check`: says whether settings.ts can be deployed, without an account and without synthesising. */
import { loadSettings, SettingsError } from '../lib/load-settings.ts';
import { settings } from '../settings.ts';

try {
  const { name, region, auth, endpoints } = loadSettings(settings, undefined);
  const served = endpoints.map((endpoint) => `${endpoint.name}@${endpoint.version}`).join(', ');
  process.stdout.write(
    `settings are fine: ${name} in ${region}, callers by ${auth.kind}, endpoints ${served}\n`,
  );
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
