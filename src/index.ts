/**
 * What others may import from the package root: the server, to be run inside a program of their own. The client stands at
 * `agentcore-agui/client`.
 */
export type {
  Ask,
  ClientCall,
  ClientOutcome,
  OwnAgent,
  OwnAnswer,
  OwnTurn,
  Piece,
  SdkAgent,
  Utterance,
} from './agent/own/own-agent.ts';
export type { Clock, Ids, Log, Runtime } from './ports/runtime.ts';
export { type Config, ConfigError, type Environment, readConfig } from './server/config.ts';
export { type CreateServerOptions, createServer } from './server/create-server.ts';
export { runServer } from './server/main.ts';
export { type RunningServer, serve } from './server/serve.ts';
