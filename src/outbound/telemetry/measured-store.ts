/** A thread store whose calls are timed. */
import type { Clock } from '../../ports/runtime.ts';
import type { Meter } from '../../ports/telemetry.ts';
import type { ThreadStore } from '../../ports/thread-store.ts';

export function measuredStore(store: ThreadStore, meter: Meter, clock: Clock): ThreadStore {
  const timed = async <Result>(
    operation: 'load' | 'save' | 'remove',
    call: () => Promise<Result>,
  ): Promise<Result> => {
    const startedAt = clock.now();
    let isGood = false;
    try {
      const result = await call();
      isGood = true;
      return result;
    } finally {
      meter.storeCall(operation, Math.max(0, clock.now() - startedAt), isGood);
    }
  };
  return {
    load: (address) => timed('load', () => store.load(address)),
    save: (record) => timed('save', () => store.save(record)),
    remove: (address) => timed('remove', () => store.remove(address)),
    close: () => store.close(),
    ...(store.shared === undefined ? {} : { shared: store.shared }),
  };
}
