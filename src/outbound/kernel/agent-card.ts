/**
 * What is read from an A2A agent card: who is there, which A2A it speaks and at which path. The origin in a card's URLs
 * is deliberately ignored: agents build it from the address they were bound to, and a card must not be able to send our
 * token elsewhere.
 */
import { KernelError } from '../../errors/kernel-error.ts';
import type { KernelProfile } from '../../ports/kernel.ts';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../../protocol/json.ts';
import { versionBreach } from './json-rpc.ts';

export const cardPath = '.well-known/agent-card.json';

export interface AgentCard {
  readonly name: string;
  readonly version: string | undefined;
  readonly profile: KernelProfile;
  /** Path and query of the JSON-RPC endpoint, on the configured origin. */
  readonly rpcPath: string;
  /** `1.x`, the value for the `A2A-Version` header. */
  readonly protocolVersion: string;
  /** False only when the card says so: then SendMessage is used in the place of SendStreamingMessage. */
  readonly canStream: boolean;
}

/**
 * Reads the card found below `base`. Throws a breach when the agent has no JSON-RPC interface of A2A 1.x; an agent that
 * only has an older one gets the version breach (`rpcCode` -32009).
 */
export function readAgentCard(card: JsonObject, base: URL): AgentCard {
  const chosen = chooseInterface(card);
  return {
    name: stringAt(card, 'name') ?? 'unnamed',
    version: stringAt(card, 'version'),
    profile: profileOf(card),
    rpcPath: pathBelow(base, chosen.url),
    protocolVersion: chosen.version,
    canStream: objectAt(card, 'capabilities')?.['streaming'] !== false,
  };
}

interface Interface {
  readonly url: string;
  readonly binding: string;
  readonly version: string;
}

function interfacesOf(card: JsonObject): readonly Interface[] {
  return listAt(card, 'supportedInterfaces')
    .filter(isJsonObject)
    .map((each) => ({
      url: stringAt(each, 'url') ?? '',
      binding: (stringAt(each, 'protocolBinding') ?? '').toUpperCase(),
      version: stringAt(each, 'protocolVersion') ?? '',
    }));
}

function chooseInterface(card: JsonObject): Interface {
  const all = interfacesOf(card);
  const rpc = all.filter(({ binding }) => binding === 'JSONRPC');
  const fitting = rpc.flatMap((each) => {
    const version = /^1\.\d+/.exec(each.version)?.[0];
    return version === undefined ? [] : [{ ...each, version }];
  });
  const chosen = fitting.find(({ version }) => version === '1.0') ?? fitting[0];
  if (chosen !== undefined) return chosen;
  const offered = rpc[0]?.version ?? (all.length === 0 ? olderVersionOf(card) : undefined);
  if (offered !== undefined) throw versionBreach(offered);
  const others = all.map(({ binding, version }) => `${binding} ${version}`).join(', ');
  throw new KernelError(
    'breach',
    `the agent has no JSONRPC interface of A2A 1.0; it offers: ${others || 'none'}`,
  );
}

/** Cards before 1.0 have no list of interfaces but one address at their top. */
function olderVersionOf(card: JsonObject): string | undefined {
  if (stringAt(card, 'url') === undefined) return undefined;
  return /^\d+\.\d+/.exec(stringAt(card, 'protocolVersion') ?? '0.3')?.[0];
}

function profileOf(card: JsonObject): KernelProfile {
  const extensions = listAt(objectAt(card, 'capabilities'), 'extensions').filter(isJsonObject);
  const isIacCode =
    stringAt(card, 'name')?.toLowerCase() === 'iac-code' ||
    extensions.some((each) => stringAt(each, 'uri')?.startsWith('urn:iac-code:a2a:') === true);
  return isIacCode ? 'iac-code' : 'a2a';
}

/** An agent behind a proxy that strips a prefix knows nothing of the prefix: what it names lies below the base. */
function pathBelow(base: URL, url: string): string {
  if (!URL.canParse(url, base.href))
    throw new KernelError('breach', 'the agent card holds an unreadable URL');
  const { pathname, search } = new URL(url, base);
  const isBelow = `${pathname}/`.startsWith(base.pathname);
  return `${isBelow ? pathname : base.pathname + pathname.slice(1)}${search}`;
}
