import { onTestFinished } from 'vitest';
import { FakeKernel, type FakeKernelOptions } from './fake-kernel.ts';

/** A fake kernel that is stopped when the test is over. */
export async function startFakeKernel(options: FakeKernelOptions = {}): Promise<FakeKernel> {
  const fake = await FakeKernel.start(options);
  onTestFinished(() => fake.stop());
  return fake;
}
