/** Run by the CDK CLI (cdk.json). Settings are checked before anything is synthesised; mistakes end it with exit code 2. */
import { resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addStacks } from '../lib/app.ts';
import { loadSettings, SettingsError } from '../lib/load-settings.ts';
import { settings } from '../settings.ts';

const app = new App();
const digest: unknown = app.node.tryGetContext('imageDigest');
try {
  const checked = loadSettings(settings, typeof digest === 'string' ? digest : undefined);
  if (checked.image.digest === undefined) {
    process.stderr.write(
      'No image digest yet: only the build stack. Next: docs/deploy.md, "Build the image".\n',
    );
  }
  addStacks(app, checked, resolve(import.meta.dirname, '../..'));
  app.synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
