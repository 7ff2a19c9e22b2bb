/**
 * Workspaces on disk. A requested folder must lie under an allowed root after links are resolved, also the links of those
 * of its parents that exist already. Nothing is expanded (no `~`, no variables) and nothing is created until asked.
 */
import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { workspacePathOf } from '../../domain/thread/names.ts';
import { fault } from '../../errors/fault.ts';
import type { Workspaces } from '../../ports/workspaces.ts';

export interface WorkspaceRoots {
  /** Where threads that name no folder get theirs. */
  readonly workspaceRoot: string;
  /** Folders under which a request may name one. */
  readonly allowed: readonly string[];
}

const maxPathLength = 4_000;

export function createWorkspaces(roots: WorkspaceRoots): Workspaces {
  return {
    async resolve(requested, address) {
      if (requested === undefined) return privateFolder(roots.workspaceRoot, workspacePathOf(address));
      return requestedFolder(requested, roots.allowed);
    },
    async ensure(resolved) {
      try {
        await mkdir(resolved, { recursive: true, mode: 0o700 });
      } catch (cause) {
        throw fault('workspace-not-created', {}, cause);
      }
    },
  };
}

async function privateFolder(root: string, [session, thread]: readonly [string, string]): Promise<string> {
  return join(await resolveLinks(resolve(root)), session, thread);
}

async function requestedFolder(requested: string, allowed: readonly string[]): Promise<string> {
  if (!isAbsolute(requested)) throw fault('workspace-not-absolute');
  if (requested.length > maxPathLength || requested.includes('\0')) throw fault('workspace-invalid');
  const resolved = await resolveLinks(normalize(requested));
  const roots = await Promise.all(allowed.map((root) => resolveLinks(resolve(root))));
  if (!roots.some((root) => isUnder(resolved, root))) throw fault('workspace-outside-roots');
  const found = await stat(resolved).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw fault('workspace-not-a-directory');
  return resolved;
}

/** The path with the links of its existing part resolved; what does not exist yet can't hold a link. */
async function resolveLinks(path: string): Promise<string> {
  const trimmed = path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
  try {
    return await realpath(trimmed);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const parent = dirname(trimmed);
    if (code === 'ENOTDIR') throw fault('workspace-not-a-directory', {}, cause);
    if (code !== 'ENOENT' || parent === trimmed) throw fault('workspace-invalid', {}, cause);
    return join(await resolveLinks(parent), trimmed.slice(parent.length).replace(/^[\\/]+/, ''));
  }
}

function isUnder(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
