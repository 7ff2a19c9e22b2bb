/**
 * Can these tools of a client be given to a model? Names as every provider takes them, no two alike, none of the agent's
 * own; parameters that are a JSON Schema of an object. A provider would refuse the whole request for one that is wrong, and
 * name neither the tool nor the reason.
 */
import { fault } from '../../errors/fault.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json.ts';
import type { Tool } from '../../protocol/run-input.ts';

interface ToolProblem {
  /** Path in the request, such as `tools[0].name`. */
  readonly where: string;
  readonly problem: string;
}

const maxClientTools = 128;
/** Characters of all tools together, as JSON. */
const maxToolsCharacters = 262_144;
/** What Amazon Bedrock and OpenAI take. */
const lawfulName = /^[A-Za-z0-9_-]{1,64}$/;

/** Throws `envelope-invalid` with the place and what is wrong there. `taken`: names of the agent's own tools. */
export function refuseOddTools(tools: readonly Tool[], taken: readonly string[] = []): void {
  const problem = problemOfTools(tools, taken);
  if (problem !== undefined) throw fault('envelope-invalid', { ...problem });
}

function problemOfTools(tools: readonly Tool[], taken: readonly string[]): ToolProblem | undefined {
  if (tools.length > maxClientTools)
    return { where: 'tools', problem: `has more than ${maxClientTools} entries` };
  if (JSON.stringify(tools).length > maxToolsCharacters)
    return { where: 'tools', problem: `is longer than ${maxToolsCharacters} characters` };
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const where = `tools[${index}]`;
    const problem = problemOfName(tool.name, names, taken);
    if (problem !== undefined) return { where: `${where}.name`, problem };
    names.add(tool.name);
    const odd = problemOfSchema(tool.parameters, `${where}.parameters`);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

function problemOfName(
  name: string,
  names: ReadonlySet<string>,
  taken: readonly string[],
): string | undefined {
  if (!lawfulName.test(name) || name in {}) return 'must be 1 to 64 letters, digits, "_" or "-"';
  if (taken.includes(name)) return `is the name of a tool of the agent itself: ${name}`;
  return names.has(name) ? `is used twice: ${name}` : undefined;
}

function problemOfSchema(schema: JsonObject | undefined, where: string): ToolProblem | undefined {
  if (schema === undefined) return undefined;
  // AG-UI's own schema lets anything through here.
  if (!isJsonObject(schema)) return { where, problem: 'must be a JSON Schema of an object' };
  const { type, properties, required } = schema;
  if (type !== undefined && type !== 'object')
    return { where: `${where}.type`, problem: 'must be "object": arguments are an object' };
  if (properties !== undefined && !isJsonObject(properties))
    return { where: `${where}.properties`, problem: 'must be an object' };
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (!isJsonObject(property) && typeof property !== 'boolean')
      return { where: `${where}.properties.${name}`, problem: 'must be a JSON Schema' };
  }
  if (required !== undefined && !isListOfNames(required))
    return { where: `${where}.required`, problem: 'must be a list of names' };
  return undefined;
}

function isListOfNames(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
