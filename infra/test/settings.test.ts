import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checkSettings, explain } from '../lib/check-settings.ts';
import { loadSettings } from '../lib/load-settings.ts';
import { serverEnvironment } from '../lib/server-environment.ts';
import type { JwtAuth, Settings } from '../lib/settings-type.ts';
import { variantNames, variants } from './support/variants.ts';

const good: Settings = variants['as shipped'];
const tokens = variants['tokens that only the platform checks'].auth as JwtAuth;

const mistakes: readonly (readonly [what: string, wrong: Partial<Settings>, said: string])[] = [
  [
    'a hyphen in the name',
    { name: 'my-agent' },
    "settings.name: 'my-agent' is not a letter, then letters, digits or _",
  ],
  ['a short account', { account: '123' }, "settings.account: '123' is not 12 digits"],
  ['no region', { region: 'Ireland' }, "settings.region: 'Ireland' is not a region"],
  [
    'a tag for a digest',
    { image: { ...good.image, digest: 'latest' } },
    "settings.image.digest: 'latest' is not sha256:",
  ],
  [
    'capitals in the repository',
    { image: { ...good.image, repository: 'Agent' } },
    'settings.image.repository',
  ],
  [
    'plain http discovery',
    { auth: { ...tokens, discoveryUrl: 'http://x/.well-known/openid-configuration' } },
    'settings.auth.discoveryUrl',
  ],
  [
    'tokens of anybody',
    { auth: { ...tokens, allowedClients: [], allowedAudience: [], allowedScopes: [], customClaims: [] } },
    'settings.auth: needs',
  ],
  [
    'a server without clients',
    { auth: { ...tokens, allowedClients: [], allowedAudience: [], verifyInContainer: true } },
    'settings.auth.verifyInContainer',
  ],
  [
    'a server without a way to its keys',
    { auth: { ...tokens, verifyInContainer: true }, network: variants['a VPC of its own'].network },
    'settings.auth.fixedKeys: is needed',
  ],
  [
    'a private key in a template',
    {
      auth: {
        ...tokens,
        verifyInContainer: true,
        fixedKeys: {
          issuer: 'https://issuer.example/',
          keySet: { keys: [{ kty: 'EC', kid: '1', d: 'canary' }] },
        },
      },
    },
    'holds a secret key',
  ],
  [
    'a claim that is compared with an address',
    { auth: { ...tokens, customClaims: [{ name: 'iss', equals: 'https://x' }] } },
    'settings.auth.customClaims[0]',
  ],
  [
    'a claim without anything to compare with',
    { auth: { ...tokens, customClaims: [{ name: 'groups', containsAny: [] }] } },
    'settings.auth.customClaims[0]',
  ],
  ['a scope with a space', { auth: { ...tokens, allowedScopes: ['a b'] } }, 'settings.auth.allowedScopes[0]'],
  ['a header of AWS', { requestHeaders: ['X-Amz-Date'] }, 'settings.requestHeaders[0]'],
  [
    'a header that never comes',
    { requestHeaders: ['Origin'] },
    "settings.requestHeaders[0]: 'Origin' is never passed on",
  ],
  ['a header twice', { requestHeaders: ['X-Tenant', 'x-tenant'] }, 'is there twice'],
  [
    '21 headers',
    { requestHeaders: Array.from({ length: 21 }, (_, at) => `X-H${at}`) },
    'settings.requestHeaders: 21 headers, at most 20',
  ],
  [
    'more idle than life',
    { session: { idleSeconds: 900, maxSeconds: 600 } },
    'settings.session.idleSeconds: 900 is more than maxSeconds (600)',
  ],
  [
    'too little idle',
    { session: { idleSeconds: 5, maxSeconds: 600 } },
    'settings.session.idleSeconds: 5 is not 60 to 28800 seconds',
  ],
  ['storage outside /mnt', { session: { ...good.session, storage: '/data' } }, 'settings.session.storage'],
  [
    'two levels of storage',
    { session: { ...good.session, storage: '/mnt/a/b' } },
    'settings.session.storage',
  ],
  [
    'an unserved zone',
    { network: { kind: 'new-vpc', cidr: '10.0.0.0/16', zoneIds: ['use1-az3'] } },
    'zone use1-az3 is not served in us-east-1',
  ],
  [
    'no subnet',
    { network: { kind: 'existing-vpc', subnets: [], securityGroups: ['sg-01234567'] } },
    'settings.network: needs 1 to 16 subnets',
  ],
  [
    'a tiny network',
    { network: { kind: 'new-vpc', cidr: '10.0.0.0/28', zoneIds: ['use1-az1'] } },
    'settings.network.cidr',
  ],
  [
    'a remote agent out of reach',
    {
      network: { kind: 'new-vpc', cidr: '10.0.0.0/16', zoneIds: ['use1-az1'] },
      kernelUrl: 'https://x.example',
    },
    'settings.kernelUrl',
  ],
  [
    'a secret',
    { environment: { AGUI_MODEL_API_KEY: 'k' } },
    'settings.environment.AGUI_MODEL_API_KEY: looks like a secret',
  ],
  [
    'a variable of ours',
    { environment: { AGUI_PORT: '80' } },
    'settings.environment.AGUI_PORT: is made from the other settings',
  ],
  ['credentials in an address', { kernelUrl: 'https://u:p@x.example' }, 'settings.kernelUrl'],
  ['no endpoint', { endpoints: [] }, 'settings.endpoints: 0 is not 1 to 9'],
  [
    'endpoint DEFAULT',
    { endpoints: [{ name: 'DEFAULT', version: 1 }] },
    'settings.endpoints[0].name: DEFAULT exists by itself',
  ],
  [
    'an endpoint twice',
    {
      endpoints: [
        { name: 'a', version: 1 },
        { name: 'a', version: 2 },
      ],
    },
    'settings.endpoints: the same name twice',
  ],
  ['version 0', { endpoints: [{ name: 'a', version: 0 }] }, 'settings.endpoints[0].version'],
  ['two weeks and a day', { logs: { retentionDays: 15 } }, 'settings.logs.retentionDays: 15 is not one of'],
  [
    'V2 where it is not',
    { region: 'eu-north-1', platformVersion: 'V2' },
    'settings.platformVersion: V2 is not offered in eu-north-1',
  ],
  ['no mail address', { alarms: { ...good.alarms, mail: 'me' } }, 'settings.alarms.mail'],
];

describe('settings', () => {
  it.each(variantNames)('are accepted: %s', (name) => {
    expect(explain(checkSettings(variants[name]))).toBe('');
  });

  it.each(mistakes)('with %s are refused with the place and the reason', (_what, wrong, said) => {
    expect(explain(checkSettings({ ...good, ...wrong }))).toContain(said);
  });

  it('report all mistakes at once, one a line', () => {
    const problems = explain(checkSettings({ ...good, name: '1', region: '2', endpoints: [] }));
    expect(problems.split('\n')).toHaveLength(3);
  });

  it('take the digest of the command line before their own, and check it as well', () => {
    const digest = `sha256:${'b'.repeat(64)}`;
    expect(loadSettings(good, digest).image.digest).toBe(digest);
    expect(() => loadSettings(good, 'v1')).toThrow("settings.image.digest: 'v1'");
  });

  it('end the app with code 2 and their problems, before anything is synthesised', () => {
    const ran = spawnSync(process.execPath, ['bin/app.ts'], {
      cwd: `${import.meta.dirname}/..`,
      encoding: 'utf8',
      env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ imageDigest: 'v1' }) },
    });
    expect({ code: ran.status, said: ran.stderr }).toEqual({
      code: 2,
      said: "settings.image.digest: 'v1' is not sha256: and 64 hexadecimal digits, never a tag\n",
    });
  });
});

describe('the server’s environment', () => {
  it('leaves out what the settings leave out', () => {
    const { session: _session, ...rest } = good;
    expect(serverEnvironment({ ...rest, session: { idleSeconds: 60, maxSeconds: 60 } })).toEqual({
      AGUI_AUTH: 'none',
      AGUI_STORE: 'file',
      AGUI_MODEL_PROVIDER: 'offline',
    });
  });

  it('names the table only when threads are kept in it', () => {
    expect(serverEnvironment({ ...good, threads: 'dynamodb' }, 'threads-1')).toMatchObject({
      AGUI_STORE: 'dynamodb',
      AGUI_DYNAMODB_TABLE: 'threads-1',
    });
    expect(serverEnvironment(good, 'threads-1')).not.toHaveProperty('AGUI_DYNAMODB_TABLE');
  });
});
