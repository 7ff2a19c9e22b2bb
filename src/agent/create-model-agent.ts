/** The embedded agent with a language model for its author. Loaded only when the settings name a provider. */
import type { Runtime } from '../ports/runtime.ts';
import { EmbeddedAgent } from './embedded-agent.ts';
import type { AgentMemory } from './memory.ts';
import { defaultModelAuthorOptions, ModelAuthor } from './model/model-author.ts';
import { createModels, type ModelSettings } from './model/models.ts';
import { createSchemaChecker } from './tools/schema-checker.ts';
import { findTerraform } from './tools/terraform.ts';
import { ToolBox } from './tools/tool-box.ts';

/** `path` is where programs are looked for, as `PATH` spells it. */
export async function createModelAgent(
  runtime: Runtime,
  memory: AgentMemory,
  settings: ModelSettings,
  path: string,
): Promise<EmbeddedAgent> {
  const terraform = await findTerraform(path);
  const tools = new ToolBox(runtime.ids, createSchemaChecker(runtime.clock), terraform);
  const author = new ModelAuthor({
    ...defaultModelAuthorOptions,
    models: createModels(settings),
    hasTerraform: terraform !== undefined,
  });
  return new EmbeddedAgent({ runtime, memory, author, tools });
}
