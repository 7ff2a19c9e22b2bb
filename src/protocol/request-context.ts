/**
 * What a request brought along beside its body, for agents in this process: the platform's headers by their meaning, and
 * whatever else the deployment lets through. Secrets among it are for use and never for a log, a file or an event.
 *
 * Source: AgentCore Runtime, headers that reach the container.
 */
import type { RequestId, SessionId } from './ids.ts';

export interface RequestContext {
  readonly requestId: RequestId;
  readonly sessionId: SessionId | undefined;
  /** Verified subject of the caller, or null where nobody is told from anybody else. */
  readonly subject: string | null;
  /** `X-Amzn-Bedrock-AgentCore-Runtime-User-Id`: whom the caller says it speaks for. Nobody verified it; never an identity. */
  readonly unverifiedUserId: string | undefined;
  /** Secret. `X-Amz-Bedrock-AgentCore-Identity-WAT`, or `WorkloadAccessToken` by its older name. */
  readonly workloadAccessToken: string | undefined;
  /** `OAuth2CallbackUrl`: where a three-legged sign-in returns to. */
  readonly oauthCallbackUrl: string | undefined;
  readonly trace: {
    readonly traceparent: string | undefined;
    readonly tracestate: string | undefined;
    /** `X-Amzn-Trace-Id`. */
    readonly xrayTraceId: string | undefined;
  };
  /** Members of the W3C `baggage` header, decoded. */
  readonly baggage: Readonly<Record<string, string>>;
  /** Other headers of the application, names in lower case: `X-Amzn-Bedrock-AgentCore-Runtime-Custom-…` and what else came. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that the deployment passes on to a remote agent, names in lower case. May hold secrets. */
  readonly forwarded: Readonly<Record<string, string>>;
  /** The values among all these that must not be written down. */
  readonly secrets: readonly string[];
}
