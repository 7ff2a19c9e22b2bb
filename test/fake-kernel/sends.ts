/** Messages as the engine makes them, for tests that talk to a kernel themselves. */
import type { KernelSend } from '../../src/ports/kernel.ts';
import type { A2aMessage, A2aPart } from '../../src/protocol/a2a.ts';
import { type JsonObject, stringAt } from '../../src/protocol/json.ts';

let serial = 0;

export function userText(text: string, more: Partial<A2aMessage> = {}): KernelSend {
  return { message: userMessage([{ text }], more) };
}

/** The answer to a permission question, in the one form that iac-code takes. */
export function permissionAnswer(
  input: JsonObject,
  decision: 'allow_once' | 'deny' = 'allow_once',
): A2aMessage {
  const data = {
    schemaVersion: 1,
    kind: 'permission',
    requestTaskId: input['requestTaskId'],
    inputId: input['inputId'],
    toolUseId: input['toolUseId'],
    decision,
  };
  const names = {
    taskId: stringAt(input, 'requestTaskId') ?? '',
    contextId: stringAt(input, 'contextId') ?? '',
  };
  return userMessage([{ data, mediaType: 'application/json' }], names);
}

function userMessage(parts: readonly A2aPart[], more: Partial<A2aMessage>): A2aMessage {
  serial += 1;
  return { messageId: `message-${serial}`, role: 'ROLE_USER', parts, ...more };
}
