/**
 * The data plane's addresses → which operation on which runtime. Pure.
 *
 * Source: URIs of InvokeAgentRuntime, StopRuntimeSession, GetRuntimeProtectedResourceMetadata and of WebSocket connections
 * in the service model. The ARN is one path segment, encoded once; a runtime's id needs `accountId` beside it.
 */
import { parseRuntimeArn } from '../client/runtime-endpoint.ts';
import type { RuntimeConfig } from './door-config.ts';
import { PlatformError } from './platform-error.ts';

const routes = {
  invocations: { operation: 'InvokeAgentRuntime', method: 'POST' },
  ws: { operation: 'InvokeAgentRuntimeWithWebSocketStream', method: 'GET' },
  stopruntimesession: { operation: 'StopRuntimeSession', method: 'POST' },
  'invocations/.well-known/oauth-protected-resource': {
    operation: 'GetRuntimeProtectedResourceMetadata',
    method: 'GET',
  },
} as const;

export type DoorOperation = (typeof routes)[keyof typeof routes]['operation'];

export interface DoorAddress {
  readonly operation: DoorOperation;
  readonly runtime: RuntimeConfig;
  readonly qualifier: string;
  /** As on the wire, with its percent signs. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const defaultQualifier = 'DEFAULT';

/** Throws `PlatformError`. */
export function parseDoorAddress(
  method: string,
  target: string,
  runtimes: readonly RuntimeConfig[],
): DoorAddress {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  const match = /^\/runtimes\/([^/]+)\/(.+)$/.exec(path);
  const segment = match?.[1] ?? '';
  const route = Object.entries(routes).find(([name]) => name === match?.[2])?.[1];
  if (route === undefined) throw notFound(hintFor(path));
  if (route.method !== method) throw notFound(`${route.operation} is a ${route.method}`);
  const runtime = findRuntime(segment, query.get('accountId'), runtimes);
  const qualifier = query.get('qualifier') ?? defaultQualifier;
  if (qualifier !== defaultQualifier && !runtime.qualifiers.includes(qualifier)) {
    throw notFound(`the runtime has no endpoint with the name ${printable(qualifier)}`);
  }
  return { operation: route.operation, runtime, qualifier, path, query };
}

/** The runtime and its endpoint: policies speak of both. */
export function resourcesOf({ runtime, qualifier }: DoorAddress): readonly string[] {
  return [runtime.arn, `${runtime.arn}/runtime-endpoint/${qualifier}`];
}

function findRuntime(
  segment: string,
  accountId: string | null,
  runtimes: readonly RuntimeConfig[],
): RuntimeConfig {
  const named = decoded(segment);
  const found = runtimes.find(({ arn }) => {
    const { account, runtimeId } = parseRuntimeArn(arn);
    return arn === named || (runtimeId === named && account === accountId);
  });
  if (found !== undefined) return found;
  const isId = runtimes.some(({ arn }) => parseRuntimeArn(arn).runtimeId === named);
  throw notFound(isId ? 'with an id instead of an ARN, accountId is needed' : 'no such runtime');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new PlatformError('ValidationException', 'the path is not percent-encoded UTF-8', { cause });
  }
}

function hintFor(path: string): string {
  return /^\/runtimes\/arn:[^/]+\/[^/]+\//.test(path)
    ? 'the ARN must be percent-encoded, its slash too'
    : 'no such operation';
}

function printable(text: string): string {
  return text.slice(0, 64).replace(/[^ -~]/g, '?');
}

function notFound(detail: string): PlatformError {
  return new PlatformError('ResourceNotFoundException', detail);
}
