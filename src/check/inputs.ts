/** The lawful input that all checks begin with, and ids that no check has used before. */
import type { Settings } from './settings.ts';

export interface InputOptions {
  /** Default: the usual one. */
  readonly prompt?: string;
  readonly threadId?: string;
  /** Members over those of the example. */
  readonly input?: Readonly<Record<string, unknown>>;
}

/** The example of the contract's section on the request format, with ids that no earlier check has used. */
export function exampleInput(settings: Settings, { prompt, threadId, input = {} }: InputOptions = {}) {
  const content = prompt ?? settings.prompts.usual;
  return {
    threadId: threadId ?? crypto.randomUUID(),
    runId: crypto.randomUUID(),
    messages: [{ id: crypto.randomUUID(), role: 'user', content }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: settings.forwardedProps,
    ...input,
  };
}

/** As the platform makes them: at least 33 characters. */
export function makeSession(): string {
  return `check-${crypto.randomUUID()}`;
}

/** No agent says it by chance. */
export function makeWord(): string {
  return `word${crypto.randomUUID().replaceAll('-', '')}`;
}
