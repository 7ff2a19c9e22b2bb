/**
 * Where an agent is called: an AgentCore runtime by its ARN, or any AG-UI container by its address. Gives the addresses
 * of each operation for HTTPS and WSS. Says nothing of credentials.
 *
 * Source: data plane API of Amazon Bedrock AgentCore (InvokeAgentRuntime, StopRuntimeSession, WebSocket connections).
 */
import { invalidArgument } from './client-error.ts';

export type Target =
  | {
      readonly kind: 'runtime';
      /** `arn:aws:bedrock-agentcore:<region>:<account>:runtime/<id>` */
      readonly arn: string;
      /** Name of the runtime's endpoint; the platform takes `DEFAULT` when absent. */
      readonly qualifier?: string;
      /** Another origin than the region's own: a private endpoint, a proxy, the local front door. */
      readonly endpoint?: string;
    }
  /** A container's base address, such as `http://127.0.0.1:8080`; or the whole address of its invocations. */
  | { readonly kind: 'url'; readonly url: string };

export interface RuntimeArn {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  readonly runtimeId: string;
}

const arnPattern =
  /^arn:(aws[a-z-]*):bedrock-agentcore:([a-z]{2}(?:-[a-z]+)+-\d+):(\d{12}):runtime\/([A-Za-z][A-Za-z0-9_-]{0,127})$/;

/** Throws `INVALID_ARGUMENT` when it is not the ARN of a runtime. */
export function parseRuntimeArn(arn: string): RuntimeArn {
  const [, partition, region, account, runtimeId] = arnPattern.exec(arn) ?? [];
  if (partition === undefined || region === undefined || account === undefined || runtimeId === undefined) {
    throw invalidArgument(
      'not the ARN of a runtime: expected arn:aws:bedrock-agentcore:<region>:<account>:runtime/<id>',
    );
  }
  return { partition, region, account, runtimeId };
}

const dnsSuffixes: Readonly<Record<string, string>> = { 'aws-cn': 'amazonaws.com.cn' };

/** Origin of the data plane, `https://…` without a slash at its end. Throws `INVALID_ARGUMENT`. */
export function dataPlaneOrigin({ arn, endpoint }: Extract<Target, { kind: 'runtime' }>): string {
  const { partition, region } = parseRuntimeArn(arn);
  if (endpoint !== undefined) return parseUrl(endpoint).href.replace(/\/+$/, '');
  return `https://bedrock-agentcore.${region}.${dnsSuffixes[partition] ?? 'amazonaws.com'}`;
}

/** The address of `POST /invocations`. */
export function invocationsUrl(target: Target): URL {
  switch (target.kind) {
    case 'runtime':
      return ofRuntime(target, 'invocations');
    case 'url': {
      const url = parseUrl(target.url);
      // A base address; every other path is what its owner means.
      if (url.pathname === '/') url.pathname = '/invocations';
      return url;
    }
  }
}

/** The address of the WebSocket, `ws:` or `wss:`. */
export function webSocketUrl(target: Target): URL {
  const url =
    target.kind === 'runtime'
      ? ofRuntime(target, 'ws')
      : besides(invocationsUrl(target), 'invocations', 'ws');
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  return url;
}

/** The address of `StopRuntimeSession`, or undefined: a container alone has no such operation. */
export function stopSessionUrl(target: Target): URL | undefined {
  return target.kind === 'runtime' ? ofRuntime(target, 'stopruntimesession') : undefined;
}

function ofRuntime(target: Extract<Target, { kind: 'runtime' }>, operation: string): URL {
  const url = new URL(`${dataPlaneOrigin(target)}/runtimes/${encodeURIComponent(target.arn)}/${operation}`);
  if (target.qualifier !== undefined) url.searchParams.set('qualifier', target.qualifier);
  return url;
}

/** The operation beside another one: `…/invocations` → `…/ws`. */
function besides(url: URL, known: string, wanted: string): URL {
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(`/${known}`)
    ? `${path.slice(0, -known.length)}${wanted}`
    : `${path}/${wanted}`;
  return url;
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) {
    throw invalidArgument('not an address: expected http://… or https://…');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidArgument('an address must not contain credentials');
  }
  url.protocol = url.protocol === 'ws:' ? 'http:' : url.protocol === 'wss:' ? 'https:' : url.protocol;
  url.hash = '';
  return url;
}
