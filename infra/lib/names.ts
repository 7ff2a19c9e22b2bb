/** Names that several stacks must agree on without importing from each other. */
import { Aws, Fn, type Stack } from 'aws-cdk-lib';
import type { Settings } from './settings-type.ts';

/** Stack and role names take hyphens where the runtime's name takes underscores. */
export const kebab = (settings: Settings): string => settings.name.replaceAll('_', '-').toLowerCase();

/** Folder of the log groups that the platform writes for this runtime. */
export const logGroupPrefix = (settings: Settings): string =>
  `/aws/bedrock-agentcore/runtimes/${settings.name}-`;

export function imageUri(stack: Stack, settings: Settings, digest: string): string {
  return Fn.join('', [registryHost(stack), `/${settings.image.repository}@${digest}`]);
}

export function registryHost(stack: Stack): string {
  return `${stack.account}.dkr.ecr.${stack.region}.${Aws.URL_SUFFIX}`;
}

export function arn(stack: Stack, service: string, resource: string): string {
  return `arn:${Aws.PARTITION}:${service}:${stack.region}:${stack.account}:${resource}`;
}
