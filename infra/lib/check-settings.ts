/**
 * Reads settings as the platform will, before anything is synthesised: every mistake at once, with its place, what was
 * found and what would be right. Nothing here needs an account.
 */
import type { ClaimRule, Settings } from './settings-type.ts';

export interface Problem {
  /** Where in `settings.ts`, as `auth.discoveryUrl`. */
  readonly path: string;
  readonly message: string;
}

const DAY_CHOICES = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];
const MICROVM_SECONDS = { min: 60, max: 28_800 };
const SECRET_NAMES = /TOKEN|SECRET|PASSWORD|API_KEY|PRIVATE_KEY|CREDENTIAL/;
/** Set from other settings, or by the image; a second source would only be able to contradict. */
const OWN_VARIABLES =
  /^(?:AGUI_(?:HOST|PORT|AUTH|JWT_.*|CONFIG_DIR|WORKSPACE_DIR|STORE|DYNAMODB_TABLE|KERNEL_URL|MODEL_PROVIDER|MODEL)|AWS_REGION|NODE_COMPILE_CACHE)$/;
const V2_REGIONS = ['us-east-1', 'us-east-2', 'us-west-2', 'eu-west-1', 'ap-northeast-1'];
/** Zone ids known to work; other regions are not judged. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  'us-east-1': ['use1-az1', 'use1-az2', 'use1-az4'],
  'us-west-2': ['usw2-az1', 'usw2-az2', 'usw2-az3'],
  'eu-west-1': ['euw1-az1', 'euw1-az2', 'euw1-az3'],
  'ap-northeast-1': ['apne1-az1', 'apne1-az2', 'apne1-az4'],
};

/** All that is wrong with the settings; empty when they can be deployed. */
export function checkSettings(settings: Settings): Problem[] {
  return [
    ...names(settings),
    ...image(settings),
    ...auth(settings),
    ...headers(settings),
    ...session(settings),
    ...keys(settings),
    ...network(settings),
    ...server(settings),
    ...endpoints(settings),
    ...operations(settings),
  ];
}

/** One line per problem, as a person reads them. */
export function explain(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => `settings.${path}: ${message}`).join('\n');
}

function names({ name, account, region }: Settings): Problem[] {
  return [
    ...match(
      'name',
      name,
      /^[a-zA-Z][a-zA-Z0-9_]{0,47}$/,
      'a letter, then letters, digits or _ (no hyphen), at most 48',
    ),
    ...(account === undefined ? [] : match('account', account, /^\d{12}$/, '12 digits')),
    ...match('region', region, /^[a-z]{2}(?:-[a-z]+)+-\d$/, 'a region such as eu-west-1'),
  ];
}

function image({ image: { repository, digest, keep } }: Settings): Problem[] {
  return [
    ...match(
      'image.repository',
      repository,
      /^[a-z0-9]+(?:[._/-][a-z0-9]+)*$/,
      'lower case letters, digits and . _ - / between them',
    ),
    ...within('image.repository', repository.length, 2, 256, 'characters'),
    ...(digest === undefined
      ? []
      : match(
          'image.digest',
          digest,
          /^sha256:[0-9a-f]{64}$/,
          'sha256: and 64 hexadecimal digits, never a tag',
        )),
    ...within('image.keep', keep, 1, 1000, 'images'),
  ];
}

function auth({ auth: chosen }: Settings): Problem[] {
  if (chosen.kind === 'iam') return [];
  const { discoveryUrl, allowedClients, allowedAudience, allowedScopes } = chosen;
  const claims = chosen.customClaims ?? [];
  const isSelective =
    allowedClients.length + allowedAudience.length + allowedScopes.length + claims.length > 0;
  return [
    ...match(
      'auth.discoveryUrl',
      discoveryUrl,
      /^https:\/\/.+\/\.well-known\/openid-configuration$/,
      'https and ending in /.well-known/openid-configuration',
    ),
    ...(isSelective
      ? []
      : [
          problem(
            'auth',
            'needs allowedClients, allowedAudience, allowedScopes or customClaims: else every token of the provider would do',
          ),
        ]),
    ...(chosen.verifyInContainer && allowedClients.length + allowedAudience.length === 0
      ? [
          problem(
            'auth.verifyInContainer',
            'needs allowedClients or allowedAudience: the server does not start on scopes alone',
          ),
        ]
      : []),
    ...allowedScopes.flatMap((scope, at) =>
      match(
        `auth.allowedScopes[${at}]`,
        scope,
        /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/,
        'an OAuth scope: no space, quote or backslash',
      ),
    ),
    ...claims.flatMap((rule, at) => claim(`auth.customClaims[${at}]`, rule)),
  ];
}

function claim(path: string, rule: ClaimRule): Problem[] {
  const values = 'equals' in rule ? [rule.equals] : 'contains' in rule ? [rule.contains] : rule.containsAny;
  return [
    ...match(`${path}.name`, rule.name, /^[A-Za-z0-9_.:-]{1,255}$/, 'letters, digits, _ . : -'),
    ...(values.length === 0 ? [problem(path, 'needs a text to compare with')] : []),
    ...values.flatMap((value) =>
      match(path, value, /^[A-Za-z0-9_.-]{1,255}$/, 'texts of letters, digits, _ . -'),
    ),
  ];
}

function headers({ requestHeaders, auth: chosen }: Settings): Problem[] {
  const all =
    chosen.kind === 'jwt' && chosen.verifyInContainer ? ['Authorization', ...requestHeaders] : requestHeaders;
  const lower = all.map((name) => name.toLowerCase());
  return [
    ...(all.length > 20
      ? [problem('requestHeaders', `${all.length} headers, at most 20 (Authorization counts)`)]
      : []),
    ...requestHeaders.flatMap((name, at) => header(`requestHeaders[${at}]`, name, lower)),
  ];
}

function header(path: string, name: string, all: readonly string[]): Problem[] {
  const lower = name.toLowerCase();
  const isCustom = lower.startsWith('x-amzn-bedrock-agentcore-runtime-custom-');
  return [
    ...match(path, name, /^[A-Za-z][A-Za-z0-9_-]{0,255}$/, 'a header name'),
    ...(/^x-amzn?-/.test(lower) && !isCustom
      ? [
          problem(
            path,
            `'${name}': of x-amz and x-amzn names only X-Amzn-Bedrock-AgentCore-Runtime-Custom-* pass`,
          ),
        ]
      : []),
    ...(/^(?:accept.*|cache-control|connection|content-.*|cookie|host|origin|sec-.*|user-agent|via|x-forwarded-.*|access-control-.*)$/.test(
      lower,
    )
      ? [problem(path, `'${name}' is never passed on by the platform`)]
      : []),
    ...(all.filter((one) => one === lower).length > 1 ? [problem(path, `'${name}' is there twice`)] : []),
  ];
}

function session({ session: { idleSeconds, maxSeconds, storage } }: Settings): Problem[] {
  const { min, max } = MICROVM_SECONDS;
  return [
    ...within('session.idleSeconds', idleSeconds, min, max, 'seconds'),
    ...within('session.maxSeconds', maxSeconds, min, max, 'seconds'),
    ...(idleSeconds > maxSeconds
      ? [problem('session.idleSeconds', `${idleSeconds} is more than maxSeconds (${maxSeconds})`)]
      : []),
    ...(storage === undefined
      ? []
      : match('session.storage', storage, /^\/mnt\/[A-Za-z0-9._-]{1,195}$/, '/mnt/ and one name')),
  ];
}

/** Members that only private and symmetric keys have (RFC 7518 6): they must never get into a template. */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

function keys({ auth: chosen, network: { kind } }: Settings): Problem[] {
  if (chosen.kind === 'iam' || !chosen.verifyInContainer) return [];
  if (chosen.fixedKeys === undefined) {
    return kind === 'new-vpc'
      ? [
          problem(
            'auth.fixedKeys',
            'is needed: from a VPC without a way out the server can not fetch the keys of the provider',
          ),
        ]
      : [];
  }
  const { keySet } = chosen.fixedKeys;
  return [
    ...(keySet.keys.length === 0 ? [problem('auth.fixedKeys.keySet', 'needs at least one key')] : []),
    ...(keySet.keys.some((key) => secretMembers.some((member) => Object.hasOwn(key, member)))
      ? [problem('auth.fixedKeys.keySet', 'holds a secret key; only public keys belong here')]
      : []),
  ];
}

function network({ network: chosen, region, kernelUrl }: Settings): Problem[] {
  if (chosen.kind === 'public') return [];
  const zoneIds = chosen.kind === 'new-vpc' ? chosen.zoneIds : chosen.subnets.map(({ zoneId }) => zoneId);
  const known = ZONES[region];
  const wrong = known === undefined ? [] : zoneIds.filter((zone) => !known.includes(zone));
  const shared = [
    ...wrong.map((zone) =>
      problem('network', `zone ${zone} is not served in ${region}; these are: ${known?.join(', ')}`),
    ),
    ...(zoneIds.length >= 1 && zoneIds.length <= 16 ? [] : [problem('network', 'needs 1 to 16 subnets')]),
  ];
  if (chosen.kind === 'existing-vpc') {
    return [
      ...shared,
      ...chosen.subnets.flatMap(({ id }, at) =>
        match(`network.subnets[${at}].id`, id, /^subnet-[0-9a-z]{8,17}$/, 'subnet-...'),
      ),
      ...chosen.securityGroups.flatMap((id, at) =>
        match(`network.securityGroups[${at}]`, id, /^sg-[0-9a-z]{8,17}$/, 'sg-...'),
      ),
      ...within('network.securityGroups', chosen.securityGroups.length, 1, 16, 'groups'),
    ];
  }
  return [
    ...shared,
    ...match(
      'network.cidr',
      chosen.cidr,
      /^(?:\d{1,3}\.){3}\d{1,3}\/(?:1[6-9]|2[0-4])$/,
      'an IPv4 block from /16 to /24',
    ),
    ...(new Set(zoneIds).size === zoneIds.length ? [] : [problem('network.zoneIds', 'the same zone twice')]),
    ...(kernelUrl === undefined
      ? []
      : [problem('kernelUrl', 'can not be reached from a VPC without a way out; use an existing VPC')]),
  ];
}

function server({ environment, kernelUrl, model }: Settings): Problem[] {
  const entries = Object.entries(environment);
  return [
    ...entries.flatMap(([name, value]) => [
      ...match(
        `environment.${name}`,
        name,
        /^[A-Za-z_][A-Za-z0-9_]{0,99}$/,
        'a variable name of at most 100 characters',
      ),
      ...(value.length <= 2048 ? [] : [problem(`environment.${name}`, 'longer than 2048 characters')]),
      ...(SECRET_NAMES.test(name)
        ? [problem(`environment.${name}`, 'looks like a secret; templates and consoles show it to many')]
        : []),
      ...(OWN_VARIABLES.test(name)
        ? [problem(`environment.${name}`, 'is made from the other settings')]
        : []),
    ]),
    ...within('environment', entries.length, 0, 35, 'variables (the platform takes 50, some are ours)'),
    ...(kernelUrl === undefined
      ? []
      : match(
          'kernelUrl',
          kernelUrl,
          /^https?:\/\/[^@\s]+$/,
          'an http or https address without credentials',
        )),
    ...(model.provider === 'bedrock'
      ? match('model.modelId', model.modelId, /^[a-z0-9.-]+(?::\d+)?$/, 'a model or inference profile id')
      : []),
  ];
}

function endpoints({ endpoints: chosen }: Settings): Problem[] {
  const list = chosen.map(({ name }) => name);
  return [
    ...within('endpoints', chosen.length, 1, 9, 'endpoints (the platform takes 10 with DEFAULT)'),
    ...(new Set(list).size === list.length ? [] : [problem('endpoints', 'the same name twice')]),
    ...chosen.flatMap(({ name, version }, at) => [
      ...match(
        `endpoints[${at}].name`,
        name,
        /^[a-zA-Z][a-zA-Z0-9_]{0,47}$/,
        'a letter, then letters, digits or _',
      ),
      ...(name === 'DEFAULT'
        ? [problem(`endpoints[${at}].name`, 'DEFAULT exists by itself and follows the newest version')]
        : []),
      ...(version === 'newest' ? [] : within(`endpoints[${at}].version`, version, 1, 99_999, 'as version')),
    ]),
  ];
}

function operations({ logs, alarms, platformVersion, region }: Settings): Problem[] {
  return [
    ...(DAY_CHOICES.includes(logs.retentionDays)
      ? []
      : [problem('logs.retentionDays', `${logs.retentionDays} is not one of ${DAY_CHOICES.join(', ')}`)]),
    ...within('alarms.systemErrors', alarms.systemErrors, 1, 1e6, 'errors'),
    ...within('alarms.throttles', alarms.throttles, 1, 1e6, 'calls'),
    ...within('alarms.firstEventMs', alarms.firstEventMs, 1, 3_600_000, 'milliseconds'),
    ...(alarms.mail === undefined
      ? []
      : match('alarms.mail', alarms.mail, /^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'a mail address')),
    ...(platformVersion === 'V2' && !V2_REGIONS.includes(region)
      ? [problem('platformVersion', `V2 is not offered in ${region}, only in ${V2_REGIONS.join(', ')}`)]
      : []),
  ];
}

const problem = (path: string, message: string): Problem => ({ path, message });

function match(path: string, value: string, pattern: RegExp, wanted: string): Problem[] {
  return pattern.test(value) ? [] : [problem(path, `'${value}' is not ${wanted}`)];
}

function within(path: string, value: number, min: number, max: number, unit: string): Problem[] {
  return Number.isInteger(value) && value >= min && value <= max
    ? []
    : [problem(path, `${value} is not ${min} to ${max} ${unit}`)];
}
