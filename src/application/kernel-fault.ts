import { type Fault, fault, toFault } from '../errors/fault.ts';
import { KernelError, rpcVersionNotSupported } from '../errors/kernel-error.ts';
import type { Kernel } from '../ports/kernel.ts';

/** What the kernel or the store threw, as the fault that its run ends with. The original stays as the cause. */
export function toRunFault(thrown: unknown): Fault {
  if (!(thrown instanceof KernelError)) return toFault(thrown);
  switch (thrown.kind) {
    case 'unavailable':
      return fault('kernel-unavailable', {}, thrown);
    case 'refused':
      return fault('kernel-refused', {}, thrown);
    case 'breach':
      return thrown.rpcCode === rpcVersionNotSupported
        ? fault('kernel-version', versionsOf(thrown), thrown)
        : fault('kernel-protocol', {}, thrown);
  }
}

/** Asks the kernel to cancel. A task that is over already needs no cancel; rejects with `cancel-failed` otherwise. */
export async function cancelTask(
  kernel: Kernel,
  taskId: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  try {
    await kernel.cancel(taskId, signal);
  } catch (thrown) {
    if (!(thrown instanceof KernelError && thrown.kind === 'refused'))
      throw fault('cancel-failed', {}, thrown);
  }
}

/** Which A2A the agent speaks and which is needed, as whoever met it says. */
function versionsOf({ data }: KernelError): { readonly offered: string; readonly needed: string } {
  const { offered, needed } = Object(data);
  return { offered: String(offered ?? 'unknown'), needed: String(needed ?? '1.0') };
}
