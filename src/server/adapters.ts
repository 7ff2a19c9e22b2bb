/** The adapters that the settings choose. Each is loaded only where it is chosen, so that a start pays for nothing else. */
import { assertNever } from '../errors/assert-never.ts';
import { FileThreadStore } from '../outbound/files/file-thread-store.ts';
import { bearerIdentity, openIdentity } from '../outbound/identity/identities.ts';
import type { Identity } from '../ports/identity.ts';
import type { Kernel } from '../ports/kernel.ts';
import type { RateLimit } from '../ports/rate-limit.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { OutgoingHeaders } from '../ports/telemetry.ts';
import type { ThreadStore } from '../ports/thread-store.ts';
import type { Config } from './config.ts';

export async function createIdentity(
  { auth, authToken, authorizers }: Config,
  { clock }: Runtime,
): Promise<Identity> {
  if (auth === 'jwt') {
    const { JwtIdentity } = await import('../outbound/identity/jwt-identity.ts');
    return new JwtIdentity({ authorizers, clock });
  }
  return auth === 'none' || authToken === undefined ? openIdentity : bearerIdentity(authToken);
}

/** Loads the library only where there is a limit. */
export async function createLimit(perSecond: number): Promise<RateLimit | undefined> {
  if (perSecond === 0) return undefined;
  const { createRateLimit } = await import('../outbound/limits/rate-limit.ts');
  return createRateLimit(perSecond);
}

/** Loads only the store that is asked for: the client of DynamoDB is large. */
export async function createStore(config: Config, runtime: Runtime): Promise<ThreadStore> {
  const { store } = config;
  switch (store.kind) {
    case 'file':
      return new FileThreadStore({
        stateDir: config.stateDir,
        ...(store.ttlDays === 0 ? {} : { keep: { days: store.ttlDays, clock: runtime.clock } }),
      });
    case 'memory': {
      const { MemoryThreadStore } = await import('../outbound/memory/memory-thread-store.ts');
      return new MemoryThreadStore();
    }
    case 'dynamodb': {
      const { DynamoThreadStore } = await import('../outbound/dynamodb/dynamo-thread-store.ts');
      return new DynamoThreadStore({ table: store.table, ttlDays: store.ttlDays, runtime });
    }
    default:
      return assertNever(store);
  }
}

/** Loads only the kernel that is asked for: the embedded agent brings a template language along, a child brings none. */
export async function createKernel(
  config: Config,
  runtime: Runtime,
  outgoing: OutgoingHeaders,
): Promise<Kernel> {
  const profile = config.kernelProfile === 'auto' ? {} : { profile: config.kernelProfile };
  const token = config.kernelToken === undefined ? {} : { token: config.kernelToken };
  if (config.kernelUrl !== undefined) {
    const { RemoteKernel } = await import('../outbound/kernel/remote-kernel.ts');
    return new RemoteKernel({ url: config.kernelUrl, log: runtime.log, outgoing, ...token, ...profile });
  }
  if (config.kernelCommand !== undefined) {
    const { ChildKernel } = await import('../outbound/kernel/child-kernel.ts');
    return new ChildKernel({
      command: config.kernelCommand,
      environment: config.childEnvironment,
      allowedCwds: config.allowedCwds,
      runtime,
      outgoing,
      ...profile,
    });
  }
  if (config.model !== undefined) {
    const [{ createModelAgent }, { FileAgentMemory }] = await Promise.all([
      import('../agent/create-model-agent.ts'),
      import('../outbound/files/agent-memory.ts'),
    ]);
    const { PATH = '' } = config.childEnvironment;
    return createModelAgent(runtime, new FileAgentMemory(config.stateDir), config.model, PATH);
  }
  const [{ createOfflineAgent }, { FileAgentMemory }] = await Promise.all([
    import('../agent/create-agent.ts'),
    import('../outbound/files/agent-memory.ts'),
  ]);
  return createOfflineAgent(runtime, new FileAgentMemory(config.stateDir));
}
