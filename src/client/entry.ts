/**
 * What `agentcore-agui/client` gives. For Node and browsers: nothing here loads a module of Node or the AWS SDK before it
 * is needed. Nothing inside the project imports this file.
 */
export { AgentCoreAgent, type AgentCoreAgentConfig, type RunAgentCoreParameters } from './agent.ts';
export type { Challenge } from './challenge.ts';
export {
  AgentCoreClient,
  type CallOptions,
  type CancelStatus,
  type RunInput,
  type RunPlace,
} from './client.ts';
export { type ClientCode, ClientError, isClientError, type PlatformCode } from './client-error.ts';
export type { ClientOptions } from './client-options.ts';
export type { AwsCredentials, Credentials, TokenProvider, TokenRequest } from './credentials.ts';
export { defaultRetryRules, type RetryRules } from './retry-policy.ts';
export type { RetryNotice } from './run-stream.ts';
export { invocationsUrl, type Target, webSocketUrl } from './runtime-endpoint.ts';
export { makeSessionId, type SessionOwner, sessionHeader } from './session-id.ts';
export type { Cursor, ReceivedEvent } from './transport.ts';
