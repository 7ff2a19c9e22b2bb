/** Whether threads can be kept, and workspaces made: by doing it once, and taking it away again. */
import { access, constants, opendir, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { contextIdOf, derivedInvocationId } from '../../domain/thread/names.ts';
import type { ThreadRecord } from '../../domain/thread/thread.ts';
import { systemClock, systemIds } from '../../outbound/system/system-runtime.ts';
import type { ThreadStore } from '../../ports/thread-store.ts';
import { executionId, threadId } from '../../protocol/ids.ts';
import type { Config } from '../config.ts';
import { type Finding, reasonOf } from './finding.ts';

const name = 'store';
const scarceBytes = 200_000_000;

/** Saves, reads and removes a thread that nobody has. */
export async function checkStore(store: ThreadStore, config: Config): Promise<Finding> {
  const probe = probeThread();
  const startedAt = systemClock.now();
  try {
    await store.save(probe);
    const found = await store.load(probe.address);
    await store.remove(probe.address);
    if (found?.contextId !== probe.contextId) {
      return { name, state: 'fail', what: `${config.stateDir} does not give back what it is given` };
    }
  } catch (cause) {
    return {
      name,
      state: 'fail',
      what: `no thread can be kept in ${config.stateDir}: ${reasonOf(cause)}`,
      remedy: 'Make the folder writable for this user, or set AGUI_STATE_DIR to one that is.',
    };
  }
  const ms = Math.max(0, systemClock.now() - startedAt);
  return withSpace(
    { name, state: 'ok', what: `files in ${config.stateDir}: saved, read, removed`, ms },
    config,
  );
}

async function withSpace(finding: Finding, { stateDir }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(stateDir);
  const free = bavail * bsize;
  if (free > scarceBytes) return finding;
  return {
    ...finding,
    state: 'warn',
    what: `${finding.what}; only ${Math.round(free / 1e6)} MB are free there`,
    remedy: 'Make room: a full disk stops every run.',
  };
}

export async function checkWorkspace({ workspaceDir }: Config): Promise<Finding> {
  const existing = await nearestFolder(workspaceDir);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    await opendir(existing).then((folder) => folder.close());
  } catch (cause) {
    return {
      name: 'workspace',
      state: 'fail',
      what: `no workspace can be made in ${workspaceDir}: ${reasonOf(cause)}`,
      remedy: 'Make the folder writable for this user, or set AGUI_WORKSPACE_DIR to one that is.',
    };
  }
  const note = existing === workspaceDir ? 'is writable' : 'is made by the first run';
  return { name: 'workspace', state: 'ok', what: `${workspaceDir} ${note}` };
}

async function nearestFolder(path: string): Promise<string> {
  for (let each = path; ; each = dirname(each)) {
    const isThere = await access(each).then(
      () => true,
      () => false,
    );
    if (isThere || each === dirname(each)) return each;
  }
}

function probeThread(): ThreadRecord {
  const address = { sessionId: undefined, threadId: threadId(`doctor-${systemIds.uuid()}`) };
  return {
    address,
    contextId: contextIdOf(address),
    cwd: '/',
    userId: null,
    subject: null,
    kernelSessionId: null,
    execution: {
      executionId: executionId(systemIds.uuid()),
      rosInvocationId: derivedInvocationId(address),
      taskId: null,
      activeRunId: null,
      pipelineSequence: 0,
      openSteps: [],
      textDigests: [],
      pending: [],
      expired: [],
    },
    runs: [],
    applied: [],
    terminalExecutionIds: [],
    updatedAt: systemClock.now(),
  };
}
