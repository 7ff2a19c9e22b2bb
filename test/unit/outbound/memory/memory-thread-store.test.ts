import { MemoryThreadStore } from '../../../../src/outbound/memory/memory-thread-store.ts';
import { threadStoreContract } from '../../../contract/thread-store.contract.ts';

threadStoreContract('MemoryThreadStore', async () => ({
  store: new MemoryThreadStore(),
  dispose: async () => undefined,
}));
