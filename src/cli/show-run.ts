/**
 * One run on the terminal: its events as they come, Ctrl-C, time limit, and what is left to do behind it. Ctrl-C once
 * asks the server to cancel and shows the run's end; twice leaves at once.
 */
import type { AgentCoreClient } from '../client/client.ts';
import { type ClientError, isClientError } from '../client/client-error.ts';
import type { ReceivedEvent } from '../client/transport.ts';
import type { Interrupt } from '../protocol/interrupt.ts';
import { isJsonObject, listAt, objectAt, stringAt } from '../protocol/json.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { EventRenderer, errorText } from './render-event.ts';
import type { Terminal } from './terminal.ts';

export interface RunToShow {
  readonly client: AgentCoreClient;
  readonly terminal: Terminal;
  readonly isJson: boolean;
  readonly threadId: string;
  readonly runId: string;
  /** Its questions are asked behind it, and need not be listed. */
  readonly isAsking?: boolean;
  /** The time limit. */
  readonly signal: AbortSignal;
  open(signal: AbortSignal): AsyncGenerator<ReceivedEvent>;
}

export interface RunEnd {
  readonly code: ExitCode;
  /** What waits for answers. */
  readonly interrupts: readonly Interrupt[];
  /** The person has pressed Ctrl-C twice. */
  readonly isLeft?: boolean;
}

/** A server that has been asked to cancel tells the end within this time, or is left. */
const cancelMs = 10_000;
/** When the time is over anyway, the server is told, but hardly waited for. */
const lastWordMs = 2_000;

export async function showRun(run: RunToShow): Promise<RunEnd> {
  const stop = new AbortController();
  let stops = 0;
  const onInterrupt = (): void => {
    stops += 1;
    if (stops > 1) stop.abort();
    else void askToCancel(run, stop);
  };
  process.on('SIGINT', onInterrupt);
  try {
    const end = await show(run, AbortSignal.any([run.signal, stop.signal]));
    return stops > 0 ? { code: exitCode.cancelled, interrupts: [], isLeft: stops > 1 } : end;
  } catch (thrown) {
    const problem = asClientError(thrown);
    // The run is not left behind to go on for nobody.
    if (problem.code === 'TIMEOUT') await cancelQuietly(run, lastWordMs);
    if (stops === 0 || problem.code !== 'ABORTED') await tell(run, problem);
    const code = stops > 0 ? exitCode.cancelled : codeOf(problem);
    return { code, interrupts: [], isLeft: stops > 1 };
  } finally {
    process.off('SIGINT', onInterrupt);
    run.terminal.progress(undefined);
  }
}

async function show({ open, isJson, terminal, isAsking }: RunToShow, signal: AbortSignal): Promise<RunEnd> {
  const renderer = new EventRenderer(terminal.colors, isAsking);
  let end: RunEnd = { code: exitCode.callFailed, interrupts: [] };
  if (!isJson) terminal.progress('waiting for the agent …');
  for await (const event of open(signal)) {
    if (isJson) {
      await terminal.out(`${jsonLine(event)}\n`);
    } else {
      const { out = '', notes = '' } = renderer.render(event);
      await terminal.out(out);
      if (terminal.showsNotes || event.type === 'RUN_ERROR') await terminal.notes(notes);
    }
    end = endOf(event) ?? end;
  }
  return end;
}

function endOf(event: ReceivedEvent): RunEnd | undefined {
  if (event.type === 'RUN_ERROR') {
    const isCancelled = stringAt(event, 'code')?.toUpperCase() === 'CANCELLED';
    return { code: isCancelled ? exitCode.cancelled : exitCode.runFailed, interrupts: [] };
  }
  if (event.type !== 'RUN_FINISHED') return undefined;
  const outcome = objectAt(event, 'outcome');
  switch (stringAt(outcome, 'type')) {
    case 'interrupt':
      return { code: exitCode.waiting, interrupts: interruptsIn(listAt(outcome, 'interrupts')) };
    case 'cancelled':
      return { code: exitCode.cancelled, interrupts: [] };
    default:
      return { code: exitCode.done, interrupts: [] };
  }
}

function interruptsIn(values: readonly unknown[]): readonly Interrupt[] {
  return values.filter(isJsonObject).flatMap((value) => {
    const id = stringAt(value, 'id');
    // Its other members are read where they are shown, each with a check of its own.
    return id === undefined ? [] : [{ ...value, id, reason: stringAt(value, 'reason') ?? '' } as Interrupt];
  });
}

async function askToCancel(run: RunToShow, stop: AbortController): Promise<void> {
  if (!run.client.knowsRuns) return stop.abort();
  run.terminal.progress('cancelling … (Ctrl-C again to leave)');
  const timer = setTimeout(() => stop.abort(), cancelMs).unref();
  stop.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  const isAsked = await cancelQuietly(run, cancelMs);
  if (!isAsked) stop.abort();
}

async function cancelQuietly({ client, threadId, runId }: RunToShow, ms: number): Promise<boolean> {
  if (!client.knowsRuns) return false;
  try {
    return (await client.cancel(threadId, runId, { signal: AbortSignal.timeout(ms) })) !== 'not_found';
  } catch {
    // Leaving is the other way to end it, and what follows.
    return false;
  }
}

/** A failed call, as the last line of the run that it was. */
async function tell({ terminal, isJson, threadId, runId }: RunToShow, problem: ClientError): Promise<void> {
  const event = failureEvent(problem, { threadId, runId });
  if (isJson) await terminal.out(`${jsonLine(event)}\n`);
  else await terminal.notes(`${errorText(event, terminal.colors)}\n`);
}

/** In the form of the event that a server would have sent; `client` says that none did. */
export function failureEvent(
  problem: ClientError,
  ids: Readonly<Record<string, string>> = {},
): ReceivedEvent {
  const { code, message, fault, status, requestId, retryable } = problem;
  return {
    type: 'RUN_ERROR',
    message,
    code,
    metadata: {
      'agentcore-agui': {
        client: true,
        retryable,
        ...(fault === undefined ? {} : { fault }),
        ...(status === undefined ? {} : { status }),
        ...(requestId === undefined ? {} : { requestId }),
        ...ids,
      },
    },
  };
}

export function codeOf({ code }: ClientError): ExitCode {
  switch (code) {
    case 'INVALID_ARGUMENT':
      return exitCode.usage;
    case 'TIMEOUT':
      return exitCode.timeout;
    case 'ABORTED':
      return exitCode.cancelled;
    default:
      return exitCode.callFailed;
  }
}

function asClientError(thrown: unknown): ClientError {
  if (isClientError(thrown)) return thrown;
  throw thrown;
}

/** One line, also for terminals: what moves a cursor is escaped. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
