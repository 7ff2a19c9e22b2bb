/**
 * Where clients reach this server, and the document that tells them how to get a token (RFC 9728). Behind AgentCore both are
 * addresses of the platform: from the settings, from the address that the platform gives its containers, or from the
 * runtime's ARN among the telemetry attributes. Elsewhere it is the address that the client used. Pure.
 */
import type { ResourceAddress } from '../inbound/resource-metadata.ts';

const runtimeArn =
  /^(arn:(aws[a-z-]*):bedrock-agentcore:([a-z0-9-]+):\d{12}:runtime\/[A-Za-z0-9_-]+)(?:\/runtime-endpoint\/([A-Za-z0-9_]+))?/;
const wellKnown = '/.well-known/oauth-protected-resource';

export interface AddressHints {
  /** `AGUI_PUBLIC_URL`, or what the platform calls `AGENTCORE_RUNTIME_URL`. */
  readonly publicUrl: string | undefined;
  /** `OTEL_RESOURCE_ATTRIBUTES`: on AgentCore `cloud.resource_id` is the ARN of runtime and endpoint. */
  readonly resourceAttributes: string | undefined;
}

/** Undefined: as each client asks for it. */
export function publicAddress(hints: AddressHints): ResourceAddress | undefined {
  const runtime = runtimeOf(hints.resourceAttributes);
  const given = hints.publicUrl ?? runtime?.url;
  if (given === undefined) return undefined;
  const url = new URL(given);
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (!/\/runtimes\/[^/]+\/invocations$/.test(base)) return { resource: base, metadataUrl: base + wellKnown };
  const qualifier = url.searchParams.get('qualifier') ?? runtime?.qualifier ?? 'DEFAULT';
  const query = `?qualifier=${encodeURIComponent(qualifier)}`;
  return { resource: base + query, metadataUrl: base + wellKnown + query };
}

function runtimeOf(
  attributes: string | undefined,
): { url: string; qualifier: string | undefined } | undefined {
  for (const pair of attributes?.split(',') ?? []) {
    const [key, value = ''] = pair.split('=', 2);
    const match = key?.trim() === 'cloud.resource_id' ? runtimeArn.exec(decoded(value.trim())) : null;
    if (match === null) continue;
    const [, arn = '', partition, region, qualifier] = match;
    const suffix = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
    const host = `bedrock-agentcore.${region}.${suffix}`;
    return { url: `https://${host}/runtimes/${encodeURIComponent(arn)}/invocations`, qualifier };
  }
  return undefined;
}

/** Values of the attributes are percent-encoded by the OpenTelemetry specification. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
