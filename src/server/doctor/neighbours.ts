/** Who the server has to reach, and whether it does: the agent, whoever proves callers' identities, the collector, a clock. */
import { systemClock } from '../../outbound/system/system-runtime.ts';
import type { Kernel } from '../../ports/kernel.ts';
import { isJsonObject, stringAt } from '../../protocol/json.ts';
import type { Config, Environment } from '../config.ts';
import { asksForTelemetry } from '../telemetry-environment.ts';
import { type Finding, reasonOf } from './finding.ts';
import { type Probe, probeHttp } from './probe-http.ts';
import { withoutSecrets } from './setting-values.ts';

/** A child has to start first. */
const kernelLimitMs = 30_000;

export async function checkKernel(kernel: Kernel, config: Config): Promise<Finding> {
  const kind =
    config.kernelUrl !== undefined ? 'remote' : config.kernelCommand !== undefined ? 'child' : 'embedded';
  const startedAt = systemClock.now();
  try {
    const { name, version, profile } = await kernel.describe(AbortSignal.timeout(kernelLimitMs));
    const ms = Math.max(0, systemClock.now() - startedAt);
    const what = `${kind}: ${name}${version === undefined ? '' : ` ${version}`}, profile ${profile}`;
    return { name: 'kernel', state: 'ok', what, ms };
  } catch (cause) {
    return {
      name: 'kernel',
      state: 'fail',
      what: `${kind}: not to be reached: ${withoutSecrets(reasonOf(cause))}`,
      remedy:
        kind === 'child'
          ? 'Run AGUI_KERNEL_COMMAND by hand, with a port for {port}, and see what it says.'
          : 'Check AGUI_KERNEL_URL and AGUI_KERNEL_TOKEN, and that this machine may connect there.',
    };
  }
}

export async function checkIdentity({ auth, authorizers }: Config): Promise<Finding> {
  const name = 'identity';
  if (auth !== 'jwt') {
    return auth === 'none'
      ? { name, state: 'ok', what: 'callers are not asked who they are: the platform in front has to do it' }
      : { name, state: 'ok', what: `${auth}: nobody else is needed to know a caller` };
  }
  const asked = authorizers.filter(({ fixedKeys }) => fixedKeys === undefined);
  if (asked.length === 0) return { name, state: 'ok', what: "the provider's keys stand in the settings" };
  const found = await Promise.all(asked.map(({ discoveryUrl }) => checkIssuer(discoveryUrl)));
  const missing = found.flatMap(({ problem }) => problem ?? []);
  if (missing.length > 0) {
    return {
      name,
      state: 'fail',
      what: missing.join('; '),
      remedy:
        'Check the discovery addresses of AGUI_JWT_*, and that this machine may connect there: without keys callers are refused.',
    };
  }
  const ms = Math.max(...found.map((each) => each.ms));
  return {
    name,
    state: 'ok',
    what: `${asked.map(({ discoveryUrl }) => discoveryUrl).join(', ')}: keys answer`,
    ms,
  };
}

async function checkIssuer(
  discoveryUrl: string,
): Promise<{ readonly ms: number; readonly problem?: string }> {
  try {
    const keys = keysOf(await probeHttp(discoveryUrl));
    const { status, ms } = await probeHttp(keys);
    if (status !== 200) throw new TypeError(`${keys} answered ${status}`);
    return { ms };
  } catch (cause) {
    return {
      ms: 0,
      problem: `no keys from ${withoutSecrets(discoveryUrl)}: ${withoutSecrets(reasonOf(cause))}`,
    };
  }
}

function keysOf({ status, body }: Probe): string {
  if (status !== 200) throw new TypeError(`it answered ${status}`);
  const document: unknown = JSON.parse(body);
  const keys = isJsonObject(document) ? stringAt(document, 'jwks_uri') : undefined;
  if (keys === undefined) throw new TypeError('it names no jwks_uri');
  return keys;
}

export async function checkCollector(environment: Environment): Promise<Finding> {
  const name = 'collector';
  if (!asksForTelemetry(environment)) return { name, state: 'skip', what: 'no traces are asked for' };
  const base =
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ??
    environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ??
    'http://localhost:4318';
  try {
    const { ms } = await probeHttp(base);
    return { name, state: 'ok', what: `${withoutSecrets(base)} answers`, ms };
  } catch (cause) {
    return {
      name,
      state: 'warn',
      what: `nobody answers at ${withoutSecrets(base)}: ${reasonOf(cause)}`,
      remedy: 'Runs are served all the same; check OTEL_EXPORTER_OTLP_ENDPOINT to see their traces.',
    };
  }
}

/** Our clock beside the first other one that can be had. Signatures and tokens fail when they are minutes apart. */
export async function checkClock(config: Config, environment: Environment): Promise<Finding> {
  const name = 'clock';
  for (const url of clocks(config, environment)) {
    const skewS = await probeHttp(url, 'HEAD').then(
      (probe) => probe.skewS,
      () => undefined,
    );
    if (skewS === undefined) continue;
    const what = `${skewS === 0 ? 'right' : `${Math.abs(skewS)} s ${skewS > 0 ? 'behind' : 'ahead'}`}, beside ${new URL(url).host}`;
    if (Math.abs(skewS) < 30) return { name, state: 'ok', what };
    const state = Math.abs(skewS) < 300 ? 'warn' : 'fail';
    return {
      name,
      state,
      what,
      remedy: 'Set the clock: signatures and tokens are refused when it is wrong.',
    };
  }
  return { name, state: 'skip', what: 'no server to compare it with' };
}

function clocks({ authorizers, kernelUrl }: Config, environment: Environment): readonly string[] {
  const region = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  return [
    ...authorizers.map(({ discoveryUrl }) => discoveryUrl),
    kernelUrl,
    region !== undefined && /^[a-z0-9-]+$/.test(region) ? `https://sts.${region}.amazonaws.com/` : undefined,
  ].filter((url) => url !== undefined && URL.canParse(url)) as string[];
}
