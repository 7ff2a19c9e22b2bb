/** What the tests of this folder share. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { KernelError } from '../../../../src/errors/kernel-error.ts';
import { systemClock, systemIds } from '../../../../src/outbound/system/system-runtime.ts';
import type { KernelBatch } from '../../../../src/ports/kernel.ts';
import type { Log, LogFields, Runtime } from '../../../../src/ports/runtime.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';

export interface LogLine {
  readonly event: string;
  readonly fields: LogFields;
}

export function recordingLog(lines: LogLine[]): Log {
  const write = (event: string, fields: LogFields = {}): void => {
    lines.push({ event, fields });
  };
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
  return log;
}

export const quietLog: Log = recordingLog([]);

export function never(): AbortSignal {
  return new AbortController().signal;
}

export function systemRuntime(lines: LogLine[] = []): Runtime {
  return { clock: systemClock, ids: systemIds, log: recordingLog(lines) };
}

/** Starts `test/fake-kernel/main.ts` as a process of its own. */
export function fakeKernelCommand(flags = ''): string {
  const main = join(import.meta.dirname, '../../../fake-kernel/main.ts');
  return `"${process.execPath}" "${main}" --port {port} ${flags}`;
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<KernelError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(KernelError);
  return thrown as KernelError;
}

/** Everything that a stream brings, and the error that it ends with, if any. */
export async function readAll(
  stream: AsyncIterable<KernelBatch>,
): Promise<{ items: readonly JsonObject[]; batches: number; error: KernelError | undefined }> {
  const items: JsonObject[] = [];
  let batches = 0;
  try {
    for await (const batch of stream) {
      items.push(...batch);
      batches += 1;
    }
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(KernelError);
    return { items, batches, error: thrown as KernelError };
  }
  return { items, batches, error: undefined };
}
