/** The embedded agent with a language model for its author. Loaded only when the settings name a provider. */
import type { Runtime } from '../ports/runtime.ts';
import { EmbeddedAgent } from './embedded-agent.ts';
import type { AgentMemory } from './memory.ts';
import { defaultModelAuthorOptions, ModelAuthor } from './model/model-author.ts';
import { createModels, type ModelSettings } from './model/models.ts';
import { createSchemaChecker } from './tools/schema-checker.ts';
import { ToolBox } from './tools/tool-box.ts';

export function createModelAgent(
  runtime: Runtime,
  memory: AgentMemory,
  settings: ModelSettings,
): EmbeddedAgent {
  const tools = new ToolBox(runtime.ids, createSchemaChecker(runtime.clock));
  const author = new ModelAuthor({ ...defaultModelAuthorOptions, models: createModels(settings) });
  return new EmbeddedAgent({ runtime, memory, author, tools });
}
