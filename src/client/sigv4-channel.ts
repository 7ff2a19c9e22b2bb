/** HTTP signed by AWS Signature Version 4, through the AWS SDK. Loaded lazily. */
import {
  type BedrockAgentCoreClient,
  InvokeAgentRuntimeCommand,
  StopRuntimeSessionCommand,
} from '@aws-sdk/client-bedrock-agentcore';
import {
  bytesOf,
  createAwsClient,
  type RuntimeTarget,
  runtimeOf,
  type SigV4Credentials,
  withHeaders,
} from './aws-client.ts';
import type { Channel, HttpAnswer, Invocation, StopCall } from './channel.ts';
import { abortError, ClientError, isClientError } from './client-error.ts';
import { noConnection } from './fetch-channel.ts';
import type { Target } from './runtime-endpoint.ts';

export interface SigV4ChannelOptions {
  readonly target: Target;
  readonly credentials: SigV4Credentials;
  readonly headers: Readonly<Record<string, string>>;
}

export class SigV4Channel implements Channel {
  readonly #target: RuntimeTarget;
  readonly #client: BedrockAgentCoreClient;

  constructor({ target, credentials, headers }: SigV4ChannelOptions) {
    this.#target = runtimeOf(target);
    this.#client = createAwsClient(this.#target, credentials, headers);
  }

  async invoke({ body, accept, sessionId, headers, signal }: Invocation): Promise<HttpAnswer> {
    const command = new InvokeAgentRuntimeCommand({
      agentRuntimeArn: this.#target.arn,
      qualifier: this.#target.qualifier,
      contentType: 'application/json',
      accept,
      runtimeSessionId: sessionId,
      payload: new TextEncoder().encode(body),
    });
    command.middlewareStack.add(withHeaders(headers), { step: 'build' });
    const answer = await this.#told(signal, () => this.#client.send(command, { abortSignal: signal }));
    return {
      status: answer.statusCode ?? 200,
      contentType: answer.contentType,
      requestId: answer.$metadata.requestId,
      body: untilAborted(answer.response, signal),
    };
  }

  async stopSession({ sessionId, signal }: StopCall): Promise<'stopped' | 'already_ended'> {
    const command = new StopRuntimeSessionCommand({
      agentRuntimeArn: this.#target.arn,
      qualifier: this.#target.qualifier,
      runtimeSessionId: sessionId,
      clientToken: sessionId,
    });
    try {
      await this.#told(signal, () => this.#client.send(command, { abortSignal: signal }));
      return 'stopped';
    } catch (thrown) {
      if (isClientError(thrown) && thrown.status === 404) return 'already_ended';
      throw thrown;
    }
  }

  async #told<Result>(signal: AbortSignal, send: () => Promise<Result>): Promise<Result> {
    try {
      return await send();
    } catch (cause) {
      if (signal.aborted) throw abortError(signal);
      if (isClientError(cause)) throw cause;
      throw isCredentialsError(cause) ? noCredentials(cause) : noConnection(cause);
    }
  }
}

/** The SDK lets go of the signal when the answer begins; a stream has to hear it until its end. */
async function* untilAborted(body: unknown, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const onAbort = (): void => {
    if (isDestroyable(body)) body.destroy(abortError(signal));
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    yield* bytesOf(body);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function isDestroyable(body: unknown): body is { destroy(problem: Error): void } {
  return typeof body === 'object' && body !== null && 'destroy' in body && typeof body.destroy === 'function';
}

function isCredentialsError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && /Credential|TokenProviderError/.test(thrown.name);
}

export function noCredentials(cause: unknown): ClientError {
  const message = 'no usable AWS credentials were found';
  return new ClientError({ code: 'UNAUTHORIZED', message, isUnsent: true, cause });
}
