/** The embedded agent with an author of the developer's own. The AI SDK is loaded only for an agent of it. */
import type { Runtime } from '../ports/runtime.ts';
import type { Author } from './author.ts';
import { EmbeddedAgent } from './embedded-agent.ts';
import type { AgentMemory } from './memory.ts';
import { generatorAuthor } from './own/generator-author.ts';
import type { OwnAgent, SdkAgent } from './own/own-agent.ts';
import { createSchemaChecker } from './tools/schema-checker.ts';
import { ToolBox } from './tools/tool-box.ts';

export async function createOwnAgent(
  runtime: Runtime,
  memory: AgentMemory,
  agent: OwnAgent | SdkAgent,
): Promise<EmbeddedAgent> {
  const tools = new ToolBox(runtime.ids, createSchemaChecker(runtime.clock));
  return new EmbeddedAgent({ runtime, memory, author: await authorOf(agent), tools });
}

async function authorOf(agent: OwnAgent | SdkAgent): Promise<Author> {
  if (typeof agent === 'function') return generatorAuthor(agent);
  const { sdkAuthor } = await import('./own/sdk-author.ts');
  return sdkAuthor(agent);
}
