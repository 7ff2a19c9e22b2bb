/** The tools of the embedded agent: files of the thread's workspace, and a template's validation. */
import { extname } from 'node:path';
import type { Ids } from '../../ports/runtime.ts';
import { type JsonObject, stringAt } from '../../protocol/json.ts';
import type { ToolOutcome } from '../author.ts';
import type { TemplateChecker } from './template-checker.ts';
import type { TerraformChecker } from './terraform.ts';
import { FileExists, Workspace, WorkspaceRefusal } from './workspace.ts';

const maxNumberedNames = 99;

type Tool = (input: JsonObject, workspace: Workspace, signal: AbortSignal) => Promise<JsonObject>;

export class ToolBox {
  readonly #checker: TemplateChecker;
  readonly #tools: Readonly<Record<string, Tool>>;

  /** `terraform` is left out where the machine has none: then there is no such tool. */
  constructor(ids: Ids, checker: TemplateChecker, terraform?: TerraformChecker) {
    this.#checker = checker;
    this.#tools = {
      write_file: async (input, workspace) => {
        const path = textAt(input, 'path');
        const content = textAt(input, 'content');
        if (input.keepExisting === true) return writeBeside(path, content, workspace, ids);
        return { path, bytes: await workspace.write(path, content, ids.uuid()) };
      },
      read_file: async (input, workspace) => {
        const path = textAt(input, 'path');
        return { path, content: await workspace.read(path) };
      },
      list_files: async (_input, workspace) => ({
        files: (await workspace.list()).map((file) => ({ ...file })),
      }),
      delete_file: async (input, workspace) => {
        const path = textAt(input, 'path');
        await workspace.remove(path);
        return { path, deleted: true };
      },
      validate_template: async (input, workspace, signal) => {
        const path = textAt(input, 'path');
        return { path, ...(await checker.check(await workspace.read(path), signal)) };
      },
      ...(terraform === undefined ? {} : { check_terraform: terraformTool(terraform) }),
    };
  }

  /** A tool that fails says why in words for the user; what is not theirs to know is thrown. */
  async call(name: string, input: JsonObject, cwd: string, signal: AbortSignal): Promise<ToolOutcome> {
    const tool = Object.hasOwn(this.#tools, name) ? this.#tools[name] : undefined;
    if (tool === undefined) return { ok: false, problem: `there is no tool ${name}` };
    try {
      return { ok: true, result: await tool(input, new Workspace(cwd), signal) };
    } catch (thrown) {
      if (thrown instanceof WorkspaceRefusal) return { ok: false, problem: thrown.message };
      const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
      if (code === 'ENOSPC' || code === 'EROFS' || code === 'EACCES') {
        return { ok: false, problem: `the workspace can't be written (${code})` };
      }
      throw thrown;
    }
  }

  close(): Promise<void> {
    return this.#checker.close();
  }
}

function terraformTool(terraform: TerraformChecker): Tool {
  return async (input, workspace, signal) => {
    const path = textAt(input, 'path');
    if (!/\.(tf|tfvars)$/.test(path)) throw new WorkspaceRefusal(`${path} is not a .tf or .tfvars file`);
    return { path, ...(await terraform.check(await workspace.read(path), signal)) };
  };
}

/** Under the first free name: `vpc.yaml`, `vpc-2.yaml` and so on. The result's `path` says which. */
async function writeBeside(
  path: string,
  content: string,
  workspace: Workspace,
  ids: Ids,
): Promise<JsonObject> {
  const end = path.length - extname(path).length;
  for (let number = 1; number <= maxNumberedNames; number += 1) {
    const name = number === 1 ? path : `${path.slice(0, end)}-${number}${path.slice(end)}`;
    try {
      return { path: name, bytes: await workspace.write(name, content, ids.uuid(), 'keep') };
    } catch (thrown) {
      if (!(thrown instanceof FileExists)) throw thrown;
    }
  }
  throw new WorkspaceRefusal(`${path} and ${maxNumberedNames - 1} names like it exist already`);
}

function textAt(input: JsonObject, name: string): string {
  const text = stringAt(input, name);
  if (text === undefined) throw new WorkspaceRefusal(`${name} must be given`);
  return text;
}
