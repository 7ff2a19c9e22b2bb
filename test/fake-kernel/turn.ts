/** A task of the fake kernel: its state, the streams attached to it, and the script that drives it. */
import type { A2aMessage, TaskState } from '../../src/protocol/a2a.ts';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../../src/protocol/json.ts';
import type { Exchange } from './exchange.ts';
import { Frames, type TaskNames } from './frames.ts';

/** Plays one turn; when it returns, the turn's streams end. */
export type Script = (turn: Turn) => void | Promise<void>;

const terminalStates = new Set<TaskState>([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

export class Turn {
  readonly names: TaskNames;
  readonly frames: Frames;
  /** Resolves when the task is cancelled. */
  readonly cancelled: Promise<void>;
  /** Newest message of the user. */
  message: A2aMessage;
  state: TaskState = 'TASK_STATE_SUBMITTED';
  isRunning = true;
  #artifacts: JsonObject[] = [];
  #metadata: JsonObject | undefined;
  readonly #streams = new Set<Exchange>();
  readonly #cancelled = Promise.withResolvers<void>();
  #waiting:
    | { readonly inputId: string | undefined; readonly resolve: (message: A2aMessage) => void }
    | undefined;

  constructor(names: TaskNames, sessionId: string | undefined, message: A2aMessage) {
    this.names = names;
    this.frames = new Frames(names, sessionId);
    this.message = message;
    this.cancelled = this.#cancelled.promise;
  }

  /** Text of the newest message. */
  get text(): string {
    return this.message.parts.map((part) => part.text ?? '').join('');
  }

  get isOver(): boolean {
    return terminalStates.has(this.state);
  }

  /** The task as GetTask shows it. */
  get task(): JsonObject {
    return {
      id: this.names.taskId,
      contextId: this.names.contextId,
      status: { state: this.state },
      ...(this.#artifacts.length === 0 ? {} : { artifacts: this.#artifacts }),
      ...(this.#metadata === undefined ? {} : { metadata: this.#metadata }),
    };
  }

  attach(stream: Exchange): void {
    this.#streams.add(stream);
    stream.openStream();
    void stream.gone.then(() => this.#streams.delete(stream));
  }

  /** Sends frames to every attached stream and keeps what they say of the task. */
  emit(...frames: readonly JsonObject[]): void {
    if (this.isOver) return;
    for (const frame of frames) this.#note(frame);
    for (const stream of this.#streams) stream.frames(...frames);
  }

  /** Text deltas, one frame each. */
  say(...deltas: readonly string[]): void {
    this.emit(...deltas.map((delta) => this.frames.text(delta)));
  }

  /**
   * Asks and waits for the answer. By default the streams end with the question and the answer's stream carries the rest,
   * as newer kernels do; with `keepOpen` they stay open beside it, as 0.13.1 does.
   */
  ask(question: JsonObject, { keepOpen = false } = {}): Promise<A2aMessage> {
    this.emit(question);
    if (!keepOpen) this.endStreams();
    const input = objectAt(
      objectAt(objectAt(objectAt(question, 'statusUpdate'), 'metadata'), 'iac_code'),
      'input',
    );
    return new Promise((resolve) => {
      this.#waiting = { inputId: stringAt(input, 'inputId'), resolve };
    });
  }

  /** Whether this message answers what is being asked. */
  accepts(message: A2aMessage): boolean {
    if (this.#waiting === undefined) return false;
    const data = message.parts.map((part) => part.data).find(isJsonObject);
    return data === undefined || data['inputId'] === this.#waiting.inputId;
  }

  deliver(message: A2aMessage): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.message = message;
    this.state = 'TASK_STATE_WORKING';
    waiting?.resolve(message);
  }

  cancel(): void {
    this.emit(this.frames.canceled());
    this.endStreams();
    this.#cancelled.resolve();
  }

  endStreams(): void {
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  /** Breaks the connections off; the task goes on. */
  cutStreams(): void {
    for (const stream of this.#streams) stream.cut();
    this.#streams.clear();
  }

  resetStreams(): void {
    for (const stream of this.#streams) stream.reset();
    this.#streams.clear();
  }

  #note(frame: JsonObject): void {
    const update = objectAt(frame, 'statusUpdate') ?? objectAt(frame, 'task');
    const state = stringAt(objectAt(update, 'status'), 'state');
    // Frames of tests hold lawful states or try out unlawful ones on purpose.
    if (state !== undefined) this.state = state as TaskState;
    this.#metadata = objectAt(update, 'metadata') ?? this.#metadata;
    const artifact = objectAt(objectAt(frame, 'artifactUpdate'), 'artifact');
    if (artifact !== undefined) this.#artifacts = [...this.#artifacts, artifact];
  }
}

/** A whole turn that says the given texts and ends as iac-code ends one. */
export function says(...deltas: readonly string[]): Script {
  return (turn) => {
    turn.emit(turn.frames.working());
    turn.say(...deltas);
    turn.emit(turn.frames.finalText(deltas.join('')), turn.frames.endOfTurn());
  };
}

/** Says something, then works until it is cancelled. */
export function worksUntilCancelled(...deltas: readonly string[]): Script {
  return async (turn) => {
    turn.say(...deltas);
    await turn.cancelled;
  };
}

/** The newest message that came in `params`. */
export function messageOf(params: JsonObject): A2aMessage {
  const message = objectAt(params, 'message') ?? {};
  return {
    ...message,
    messageId: stringAt(message, 'messageId') ?? '',
    role: 'ROLE_USER',
    parts: listAt(message, 'parts').filter(isJsonObject),
  };
}
