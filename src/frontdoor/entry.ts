/** What `agentcore-agui/frontdoor` gives, for tests of others. Nothing inside the project imports this file. */
export {
  type ConfigSource,
  type DoorConfig,
  DoorConfigError,
  type DoorInput,
  parseDoorConfig,
  readDoorConfig,
} from './door-config.ts';
export type { DoorLog, PingReport } from './door-log.ts';
export { FaultRuleError, type FaultRuleInput } from './fault-rules.ts';
export { type FrontDoor, openFrontDoor } from './front-door.ts';
export type { SessionView } from './session.ts';
