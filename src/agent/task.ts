/**
 * One task of the embedded agent: its state, what it has said so far, and those who follow it. While somebody follows, the
 * author waits for the slowest of them; when nobody does any more the task goes on and keeps only its snapshot.
 */
import type { A2aArtifact, A2aMessage, A2aTask, TaskState } from '../protocol/a2a.ts';
import type { JsonObject } from '../protocol/json.ts';

/** Messages of its own that a task's history holds: the newest ones. */
const maxMessages = 100;
/** Frames that may wait for a follower before the author waits for it. */
const maxWaiting = 256;

export class Task {
  readonly id: string;
  readonly contextId: string;
  /** Name of the context's session, as iac-code's clients know it. */
  readonly sessionId: string;
  readonly cancelled = new AbortController();
  readonly #userMessage: A2aMessage;
  readonly #followers = new Set<Follower>();
  readonly #artifacts = new Map<string, A2aArtifact>();
  #state: TaskState = 'TASK_STATE_SUBMITTED';
  #question: JsonObject | undefined;
  #said: { readonly messageId: string; text: string }[] = [];
  #hasRoom: PromiseWithResolvers<void> | undefined;

  constructor(
    names: { readonly id: string; readonly contextId: string; readonly sessionId: string },
    userMessage: A2aMessage,
  ) {
    this.id = names.id;
    this.contextId = names.contextId;
    this.sessionId = names.sessionId;
    this.#userMessage = userMessage;
  }

  get isOver(): boolean {
    return !['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED'].includes(this.#state);
  }

  /** `metadata.iac_code.input` of the question that the task waits with. */
  get question(): JsonObject | undefined {
    return this.#question;
  }

  /** A2A `Task` as GetTask shows it. */
  snapshot(): A2aTask {
    const history = this.#said.map(
      ({ messageId, text }): A2aMessage => ({ messageId, role: 'ROLE_AGENT', parts: [{ text }] }),
    );
    return {
      id: this.id,
      contextId: this.contextId,
      status: { state: this.#state },
      artifacts: [...this.#artifacts.values()],
      history: [this.#userMessage, ...history],
      metadata: { iac_code: this.#extension(this.#question === undefined ? {} : { input: this.#question }) },
    };
  }

  /** A stream of what happens from now on; it ends with the task or its next question. `goesOn`: an answer is on its way. */
  follow(signal: AbortSignal, goesOn = false): Follower {
    const follower = new Follower(signal, (isGone) => this.#moved(follower, isGone));
    this.#followers.add(follower);
    if (this.#isIdle && !goesOn) follower.end();
    return follower;
  }

  enter(state: TaskState): void {
    if (this.isOver) return;
    this.#state = state;
    this.#question = undefined;
    this.#publish(this.#update({ state }));
    if (this.#isIdle) this.#endStreams();
  }

  /** Asks and stops: the streams end, and the task goes on when the answer comes. */
  ask(question: JsonObject): void {
    if (this.isOver) return;
    this.#state = 'TASK_STATE_INPUT_REQUIRED';
    this.#question = question;
    this.#publish(this.#update({ state: this.#state }, { input: question }));
    this.#endStreams();
  }

  /** The answer to the question was taken. */
  answered(decision: string | undefined): void {
    const { inputId = '', kind = '' } = this.#question ?? {};
    this.#question = undefined;
    this.#state = 'TASK_STATE_WORKING';
    this.#publish(
      this.#update(
        { state: this.#state },
        { inputReceived: { kind, inputId, ...(decision === undefined ? {} : { decision }) } },
      ),
    );
  }

  say(messageId: string, text: string): void {
    const last = this.#said.at(-1);
    if (last?.messageId === messageId) last.text += text;
    else this.#said.push({ messageId, text });
    if (this.#said.length > maxMessages) this.#said.shift();
    const message = {
      messageId,
      role: 'ROLE_AGENT',
      taskId: this.id,
      contextId: this.contextId,
      parts: [{ text }],
    };
    this.#publish(this.#update({ state: 'TASK_STATE_WORKING', message }));
  }

  think(text: string): void {
    this.#publish(
      this.#update({ state: 'TASK_STATE_WORKING' }, { thinking: { type: 'raw_thinking', text } }),
    );
  }

  countTokens(usage: JsonObject): void {
    this.#publish(this.#update({ state: 'TASK_STATE_WORKING' }, { usage }));
  }

  /** What only AG-UI has a word for: `{stateSnapshot?, stateDelta?, pendingToolCallIds?}`. */
  showAgui(words: JsonObject): void {
    this.#publish(this.#update({ state: 'TASK_STATE_WORKING' }, { agui: words }));
  }

  showTool(tool: JsonObject): void {
    this.#publish(this.#update({ state: 'TASK_STATE_WORKING' }, { tool }));
  }

  showArtifact(artifact: A2aArtifact): void {
    this.#artifacts.set(artifact.artifactId, artifact);
    this.#publish({
      artifactUpdate: { taskId: this.id, contextId: this.contextId, lastChunk: true, artifact },
    });
  }

  /** Resolves when every follower can take more, or the task is over. */
  async room(): Promise<void> {
    while (!this.isOver && [...this.#followers].some(({ waiting }) => waiting >= maxWaiting)) {
      this.#hasRoom ??= Promise.withResolvers<void>();
      await this.#hasRoom.promise;
    }
  }

  get #isIdle(): boolean {
    return this.isOver || this.#question !== undefined;
  }

  #endStreams(): void {
    for (const follower of this.#followers) follower.end();
    this.#hasRoom?.resolve();
  }

  #extension(members: JsonObject): JsonObject {
    return { ...members, iacCodeSessionId: this.sessionId };
  }

  #update(status: JsonObject, extension: JsonObject = {}): JsonObject {
    const metadata = { iac_code: this.#extension(extension) };
    return { statusUpdate: { taskId: this.id, contextId: this.contextId, status, metadata } };
  }

  #publish(frame: JsonObject): void {
    for (const follower of this.#followers) follower.push(frame);
  }

  #moved(follower: Follower, isGone: boolean): void {
    if (isGone) this.#followers.delete(follower);
    const waiting = this.#hasRoom;
    this.#hasRoom = undefined;
    waiting?.resolve();
  }
}

/** One reader of a task. Its signal, or leaving early, ends the reading and nothing else. */
export class Follower implements AsyncIterableIterator<readonly JsonObject[], undefined> {
  readonly #moved: (isGone: boolean) => void;
  readonly #signal: AbortSignal;
  readonly #leave = (): void => this.#finish();
  #frames: JsonObject[] = [];
  #isEnding = false;
  #isGone = false;
  #isTellingDue = false;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal, moved: (isGone: boolean) => void) {
    this.#signal = signal;
    this.#moved = moved;
    signal.addEventListener('abort', this.#leave, { once: true });
    if (signal.aborted) this.#isGone = true;
  }

  get waiting(): number {
    return this.#frames.length;
  }

  push(frame: JsonObject): void {
    if (this.#isGone || this.#isEnding) return;
    this.#frames.push(frame);
    if (this.#isTellingDue) return;
    // When the author pauses: what it says in one go is read in one go.
    this.#isTellingDue = true;
    process.nextTick(() => {
      this.#isTellingDue = false;
      this.#tell();
    });
  }

  end(): void {
    this.#isEnding = true;
    this.#tell();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly JsonObject[], undefined>> {
    for (;;) {
      if (this.#frames.length > 0) {
        const frames = this.#frames;
        this.#frames = [];
        this.#moved(false);
        return { done: false, value: frames };
      }
      if (this.#isGone || this.#isEnding) {
        this.#finish();
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<readonly JsonObject[], undefined>> {
    this.#finish();
    return { done: true, value: undefined };
  }

  #finish(): void {
    this.#signal.removeEventListener('abort', this.#leave);
    this.#frames = [];
    this.#isGone = true;
    this.#moved(true);
    this.#tell();
  }

  #tell(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
