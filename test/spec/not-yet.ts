/**
 * Entries of the manifest that no scenario proves yet, each with its reason. Goes empty: an entry is taken out by the
 * change that brings its test, and one that is proven must not stay. `doors` names the doors that lack proof, where it
 * is not all of them.
 */
import type { Door, RequirementId } from './requirements.ts';

interface Unproven {
  readonly reason: string;
  readonly doors?: readonly Door[];
}

const noScenario: Unproven = { reason: 'no scenario has claimed it yet' };

export const notYet: ReadonlyMap<RequirementId, Unproven> = new Map<RequirementId, Unproven>([
  ['transport.sse', noScenario],
  ['transport.websocket', noScenario],
  ['session.header-isolates', noScenario],
  ['session.header-malformed', noScenario],
  ['container.host', noScenario],
  ['container.port', noScenario],
  ['container.arm64', noScenario],
  ['invocations.post', noScenario],
  ['invocations.raw-payload', noScenario],
  ['invocations.minimal-example', noScenario],
  ['invocations.forwarded-props-empty', noScenario],
  ['invocations.content-type', noScenario],
  ['invocations.data-records', noScenario],
  ['invocations.run-started-first', noScenario],
  ['invocations.run-finished-last', noScenario],
  ['invocations.text-messages', noScenario],
  ['invocations.streaming', noScenario],
  ['invocations.thinking', noScenario],
  ['invocations.tool-calls', noScenario],
  ['invocations.tool-results', noScenario],
  ['ws.path', noScenario],
  ['ws.conversation', noScenario],
  ['ws.user-interrupts', noScenario],
  ['ws.multi-turn', noScenario],
  ['ws.bad-message', noScenario],
  ['ping.get', noScenario],
  ['ping.json', noScenario],
  ['ping.status-code', noScenario],
  ['ping.status', noScenario],
  ['ping.busy', noScenario],
  ['ping.last-update', noScenario],
  ['ping.last-update-still', noScenario],
  ['auth.bearer', noScenario],
  ['auth.sigv4', noScenario],
  ['errors.always-sse', noScenario],
  ['errors.connection-level-status', noScenario],
  ['errors.runtime-status', noScenario],
  ['errors.unauthorized', noScenario],
  ['errors.access-denied', noScenario],
  ['errors.validation', noScenario],
  ['errors.rate-limit', noScenario],
  ['errors.conflict', noScenario],
  ['errors.session-busy', noScenario],
  ['errors.session-busy-told-apart', noScenario],
  ['errors.service-quota', noScenario],
  ['errors.agent', noScenario],
  ['errors.internal', noScenario],
  ['errors.no-internals', noScenario],
  ['errors.request-id', noScenario],
  ['errors.run-error-members', noScenario],
  ['oauth.status', noScenario],
  ['oauth.challenge', noScenario],
  ['oauth.event', noScenario],
  ['oauth.sigv4-no-challenge', noScenario],
  ['http.json-body', { ...noScenario, doors: ['agentcore'] }],
]);
