/**
 * The AWS SDK's client for a runtime, as we want it: one attempt (the retry policy is ours, and knows AG-UI's bodies), no
 * limit on the length of a stream, the refusal's own body instead of an attempt to read it as JSON. Loaded lazily: only
 * callers that sign their calls have the SDK in memory.
 */
import { BedrockAgentCoreClient } from '@aws-sdk/client-bedrock-agentcore';
import { boundedText, chunksOf } from './byte-stream.ts';
import { invalidArgument } from './client-error.ts';
import type { Credentials } from './credentials.ts';
import { type Headers, mergeHeaders } from './headers.ts';
import { maxRefusalBytes, readRefusal } from './read-refusal.ts';
import { dataPlaneOrigin, parseRuntimeArn, type Target } from './runtime-endpoint.ts';

export type SigV4Credentials = Extract<Credentials, { type: 'sigv4' }>;
export type RuntimeTarget = Extract<Target, { kind: 'runtime' }>;

const connectionTimeoutMs = 10_000;

/** Throws `INVALID_ARGUMENT` when the target is not a runtime. */
export function runtimeOf(target: Target): RuntimeTarget {
  if (target.kind === 'runtime') return target;
  throw invalidArgument('signed calls go to a runtime: give its ARN');
}

export function createAwsClient(
  target: RuntimeTarget,
  { credentials, profile }: SigV4Credentials,
  headers: Headers = {},
): BedrockAgentCoreClient {
  const { region } = parseRuntimeArn(target.arn);
  const client = new BedrockAgentCoreClient({
    region,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: connectionTimeoutMs, requestTimeout: 0 },
    ...(target.endpoint === undefined ? {} : { endpoint: dataPlaneOrigin(target) }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(profile === undefined ? {} : { profile }),
  });
  client.middlewareStack.add(withHeaders(headers), { step: 'build' });
  tellRefusals(client);
  return client;
}

/**
 * A step of the SDK's chain, for `build`: before signing, so that they are signed. Another authorization than the
 * signature would only break it.
 */
export function withHeaders(headers: Headers | undefined) {
  const { authorization: _refused, ...added } = mergeHeaders(headers);
  return <Args extends { request: unknown }, Result>(next: (args: Args) => Promise<Result>) =>
    (args: Args): Promise<Result> => {
      if (isHttp(args.request)) Object.assign(args.request.headers, added);
      return next(args);
    };
}

function tellRefusals(client: BedrockAgentCoreClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { response } = result;
      if (!isAnswer(response) || response.statusCode < 300) return result;
      const header = (name: string): string | undefined => response.headers[name];
      const body = await boundedText(bytesOf(response.body), maxRefusalBytes);
      throw readRefusal({ status: response.statusCode, header, body });
    },
    { step: 'deserialize', priority: 'low', name: 'agentcoreAguiRefusals' },
  );
}

/** Node's streams, browsers' streams, or nothing. */
export function bytesOf(body: unknown): AsyncIterable<Uint8Array> {
  if (typeof body !== 'object' || body === null) return chunksOf(null);
  // Bodies of HTTP answers are made of bytes.
  if (Symbol.asyncIterator in body) return body as AsyncIterable<Uint8Array>;
  return body instanceof ReadableStream ? chunksOf(body) : chunksOf(null);
}

interface HttpHeaders {
  readonly headers: Record<string, string>;
}

function isHttp(value: unknown): value is HttpHeaders {
  return typeof value === 'object' && value !== null && 'headers' in value;
}

function isAnswer(
  value: unknown,
): value is HttpHeaders & { readonly statusCode: number; readonly body: unknown } {
  return isHttp(value) && 'statusCode' in value && typeof value.statusCode === 'number';
}
