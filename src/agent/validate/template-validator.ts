/**
 * Asks a thread of its own whether templates are right. The thread is started by the first question and ended when none
 * has come for a while, or when one takes too long.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../ports/runtime.ts';
import type { Platform, Report } from './report.ts';
import type { Question, Reply } from './template-worker.ts';

export class ValidatorFailed extends Error {
  override readonly name = 'ValidatorFailed';
}

interface Waiting {
  readonly resolve: (report: Report) => void;
  readonly reject: (error: unknown) => void;
}

interface Running {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

const idleMs = 60_000;
const answerMs = 20_000;
const maxTextBytes = 1_048_576;
/** The schemas take some 150 MB; a template that needs more than this is no template. */
const maxOldGenerationSizeMb = 512;

export class TemplateValidator {
  readonly #clock: Clock;
  readonly #idleMs: number;
  #running: Running | undefined;
  #endTimer: (() => void) | undefined;
  #serial = 0;

  constructor(clock: Clock, idleAfterMs: number = idleMs) {
    this.#clock = clock;
    this.#idleMs = idleAfterMs;
  }

  /** Whether the thread is there now. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Rejects with `ValidatorFailed` when no answer could be had, and with the signal's reason once it is aborted. A text of
   * more than 1 MiB is a problem by itself.
   */
  async validate(text: string, platform: Platform | undefined, signal?: AbortSignal): Promise<Report> {
    signal?.throwIfAborted();
    if (Buffer.byteLength(text) > maxTextBytes) return tooLarge(platform);
    this.#running ??= this.#start();
    const { worker, waiting } = this.#running;
    this.#serial += 1;
    const question: Question = { id: this.#serial, text, platform };
    // Later questions must not push away the deadline of one that is stuck.
    if (waiting.size === 0) this.#watch(answerMs);
    const answer = Promise.withResolvers<Report>();
    waiting.set(question.id, answer);
    worker.postMessage(question);
    // The thread works on, under its deadline: starting it anew would cost more than one template.
    const leave = (): void => answer.reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    return answer.promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** Ends the thread; questions that wait are rejected. The next question starts a new one. */
  close(): Promise<void> {
    return this.#end('the validator was closed');
  }

  async #end(reason: string): Promise<void> {
    this.#endTimer?.();
    this.#endTimer = undefined;
    const running = this.#running;
    if (running === undefined) return;
    this.#give(running, reason);
    await running.worker.terminate();
  }

  #start(): Running {
    const worker = new Worker(workerUrl(), { resourceLimits: { maxOldGenerationSizeMb } });
    worker.unref();
    const running: Running = { worker, waiting: new Map() };
    worker.on('message', (reply: Reply) => this.#take(running, reply));
    worker.on('error', (error) => this.#give(running, String(error)));
    worker.on('exit', () => this.#give(running, 'the validator stopped'));
    return running;
  }

  #take(running: Running, reply: Reply): void {
    const asker = running.waiting.get(reply.id);
    running.waiting.delete(reply.id);
    if ('report' in reply) asker?.resolve(reply.report);
    else asker?.reject(new ValidatorFailed(reply.failure));
    if (running === this.#running) this.#watch(running.waiting.size > 0 ? answerMs : this.#idleMs);
  }

  #give(running: Running, reason: string): void {
    if (this.#running === running) this.#running = undefined;
    for (const { reject } of running.waiting.values()) reject(new ValidatorFailed(reason));
    running.waiting.clear();
  }

  /** The timer runs whenever the thread does: until the next answer, or while nothing is asked. */
  #watch(ms: number): void {
    this.#endTimer?.();
    const reason = `the template took longer than ${ms / 1_000} s to check`;
    this.#endTimer = this.#clock.after(ms, () => void this.#end(reason));
  }
}

function tooLarge(platform: Platform | undefined): Report {
  const message = `the template is larger than ${maxTextBytes} bytes`;
  const problems: Report['problems'] = [{ severity: 'error', path: '', line: 1, message }];
  return { valid: false, platform: platform ?? 'cloudformation', resources: 0, problems };
}

/** Beside this file, in the same language: `.ts` from source, `.js` once compiled. */
function workerUrl(): URL {
  const source = new URL('./template-worker.ts', import.meta.url);
  const isCompiled = import.meta.url.endsWith('.js');
  return isCompiled ? new URL(source.href.replace(/\.ts$/, '.js')) : source;
}
