/** Deployments that differ in everything that changes a template; each is held against every check. */
import type { Settings } from '../../lib/settings-type.ts';
import { settings as shipped } from '../../settings.ts';

export const DIGEST = `sha256:${'a1'.repeat(32)}`;

const base: Settings = { ...shipped, account: '111122223333', image: { ...shipped.image, digest: DIGEST } };

const jwt: Settings['auth'] = {
  kind: 'jwt',
  discoveryUrl: 'https://issuer.example/.well-known/openid-configuration',
  allowedClients: ['client-1', 'client-2'],
  allowedAudience: ['urn:agent'],
  allowedScopes: ['agent/invoke'],
  customClaims: [
    { name: 'tenant', equals: 'acme' },
    { name: 'groups', contains: 'agents' },
    { name: 'roles', containsAny: ['reader', 'writer'] },
  ],
  verifyInContainer: true,
};

export const variants = {
  'as shipped': base,
  'callers that may speak for users, no session storage, no tracing': {
    ...base,
    auth: { kind: 'iam', maySpeakForUsers: true },
    session: { idleSeconds: 60, maxSeconds: 3600 },
    tracing: false,
    onDelete: 'remove',
  },
  'bearer tokens, a table, a model behind an inference profile': {
    ...base,
    name: 'jwt_agent',
    region: 'eu-west-1',
    auth: jwt,
    requestHeaders: ['X-Amzn-Bedrock-AgentCore-Runtime-Custom-Locale'],
    threads: 'dynamodb',
    model: { provider: 'bedrock', modelId: 'eu.anthropic.claude-x-v1:0', regions: ['eu-central-1'] },
    endpoints: [
      { name: 'prod', version: 3 },
      { name: 'next', version: 'newest' },
    ],
    platformVersion: 'V2',
    alarms: { ...base.alarms, mail: 'operators@example.com' },
  },
  'tokens that only the platform checks': { ...base, auth: { ...jwt, verifyInContainer: false } },
  'an existing VPC and a remote agent': {
    ...base,
    network: {
      kind: 'existing-vpc',
      subnets: [{ id: 'subnet-0123456789abcdef0', zoneId: 'use1-az1' }],
      securityGroups: ['sg-0123456789abcdef0'],
    },
    kernelUrl: 'https://agent.internal.example/a2a',
  },
  'a VPC of its own': {
    ...base,
    network: { kind: 'new-vpc', cidr: '10.20.0.0/20', zoneIds: ['use1-az1', 'use1-az4'] },
    auth: {
      ...jwt,
      fixedKeys: {
        issuer: 'https://issuer.example/',
        keySet: {
          keys: [{ kty: 'EC', kid: '1', crv: 'P-256', x: 'x-of-a-public-key', y: 'y-of-a-public-key' }],
        },
      },
    },
    threads: 'dynamodb',
    model: { provider: 'bedrock', modelId: 'amazon.nova-lite-v1:0', regions: [] },
  },
} satisfies Record<string, Settings>;

export type VariantName = keyof typeof variants;

export const variantNames = Object.keys(variants) as VariantName[];
