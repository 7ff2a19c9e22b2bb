/** The tools of the embedded agent: files of the thread's workspace, and a template's validation. */
import type { Ids } from '../../ports/runtime.ts';
import { type JsonObject, stringAt } from '../../protocol/json.ts';
import type { ToolOutcome } from '../author.ts';
import type { TemplateChecker } from './template-checker.ts';
import { Workspace, WorkspaceRefusal } from './workspace.ts';

type Tool = (input: JsonObject, workspace: Workspace, signal: AbortSignal) => Promise<JsonObject>;

export class ToolBox {
  readonly #checker: TemplateChecker;
  readonly #tools: Readonly<Record<string, Tool>>;

  constructor(ids: Ids, checker: TemplateChecker) {
    this.#checker = checker;
    this.#tools = {
      write_file: async (input, workspace) => {
        const path = textAt(input, 'path');
        return { path, bytes: await workspace.write(path, textAt(input, 'content'), ids.uuid()) };
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
      validate_template: async (input, workspace) => {
        const path = textAt(input, 'path');
        return { path, ...(await checker.check(await workspace.read(path))) };
      },
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

function textAt(input: JsonObject, name: string): string {
  const text = stringAt(input, name);
  if (text === undefined) throw new WorkspaceRefusal(`${name} must be given`);
  return text;
}
