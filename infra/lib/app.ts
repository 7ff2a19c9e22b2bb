/** Settings in, one or two stacks out, all of them under cdk-nag's AWS Solutions rules. */
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { AgentStack } from './agent-stack.ts';
import { BuildStack } from './build-stack.ts';
import { kebab } from './names.ts';
import type { Settings } from './settings-type.ts';

/**
 * Adds the stacks to the app. Without an image digest there is nothing to run yet, so that only the build's stack
 * exists. `sourceDirectory` is the tree that CodeBuild gets, an absolute path.
 */
export function addStacks(app: App, settings: Settings, sourceDirectory: string): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
  const env = {
    region: settings.region,
    ...(settings.account === undefined ? {} : { account: settings.account }),
  };
  const tags = { application: settings.name };
  new BuildStack(app, `${kebab(settings)}-build`, { env, tags, settings, sourceDirectory });
  const { digest } = settings.image;
  if (digest === undefined) return;
  new AgentStack(app, `${kebab(settings)}-agent`, { env, tags, settings, imageDigest: digest });
}
