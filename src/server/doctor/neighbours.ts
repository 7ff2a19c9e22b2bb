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
const discoverySetting = 'AGUI_JWT_DISCOVERY_URL';

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

export async function checkIdentity(config: Config, environment: Environment): Promise<Finding> {
  const name = 'identity';
  const discovery = environment[discoverySetting]?.trim() ?? '';
  if (discovery === '') {
    return config.auth === 'none'
      ? { name, state: 'ok', what: 'callers are not asked who they are: the platform in front has to do it' }
      : { name, state: 'ok', what: `${config.auth}: nobody else is needed to know a caller` };
  }
  try {
    const keys = keysOf(await probeHttp(discovery));
    const { status, ms } = await probeHttp(keys);
    if (status !== 200) throw new TypeError(`${keys} answered ${status}`);
    return { name, state: 'ok', what: `${discovery} and its keys answer`, ms };
  } catch (cause) {
    return {
      name,
      state: 'fail',
      what: `no keys from ${withoutSecrets(discovery)}: ${withoutSecrets(reasonOf(cause))}`,
      remedy: `Check ${discoverySetting}, and that this machine may connect there: without keys every caller is refused.`,
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

function clocks({ kernelUrl }: Config, environment: Environment): readonly string[] {
  const region = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  return [
    environment[discoverySetting],
    kernelUrl,
    region !== undefined && /^[a-z0-9-]+$/.test(region) ? `https://sts.${region}.amazonaws.com/` : undefined,
  ].filter((url) => url !== undefined && URL.canParse(url)) as string[];
}
