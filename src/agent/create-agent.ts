/** The embedded agent with the author and the tools that need nothing from outside. */
import type { Runtime } from '../ports/runtime.ts';
import { EmbeddedAgent } from './embedded-agent.ts';
import type { AgentMemory } from './memory.ts';
import { offlineAuthor } from './offline-author.ts';
import { createSchemaChecker } from './tools/schema-checker.ts';
import { ToolBox } from './tools/tool-box.ts';

export function createOfflineAgent(runtime: Runtime, memory: AgentMemory): EmbeddedAgent {
  const tools = new ToolBox(runtime.ids, createSchemaChecker(runtime.clock));
  return new EmbeddedAgent({ runtime, memory, author: offlineAuthor, tools });
}
