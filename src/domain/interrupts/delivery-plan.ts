/**
 * How accepted answers reach the kernel: which messages, in which order, and what must be seen before each counts as
 * applied. An answer leaves the pending list only then (`recordApplied` in `answers.ts`), so that a failure between
 * two answers loses neither: the one not applied can be given again, the other is never sent twice.
 *
 * Sources: A2A as iac-code speaks it (a permission is one data part of exactly six members; a parallel sub-task's
 * permission by SendMessage, all else by SendStreamingMessage; a question is answered in words). The request's own
 * options and ids of the message's metadata are added by whoever sends it.
 */
import { createHash } from 'node:crypto';
import { assertNever } from '../../errors/assert-never.ts';
import type { A2aMessage, A2aPart } from '../../protocol/a2a.ts';
import type { ContextId, RunId, TaskId } from '../../protocol/ids.ts';
import { type JsonObject, stringAt } from '../../protocol/json.ts';
import type { Answer, AnswerContent } from './answer.ts';

export interface DeliveryTarget {
  readonly taskId: TaskId;
  readonly contextId: ContextId;
  readonly runId: RunId;
}

/** An answer that has something to say to the kernel. */
type SpokenAnswer = Answer & { readonly content: Exclude<AnswerContent, { kind: 'withdrawn' }> };

interface Delivery {
  readonly answer: Answer;
  /** `metadata.iac_code` holds only what belongs to the answer, if anything. */
  readonly message: A2aMessage;
}

export type DeliveryStep =
  /** SendMessage. Applied when the reply is there. */
  | (Delivery & { readonly verb: 'answer'; readonly appliedWhen: 'replied' })
  /**
   * SendStreamingMessage. Applied at the first item that speaks of our task and context; a stream without one is a
   * refusal. `readTo`: what is shown of this stream before the next step; the last step's stream always carries on.
   */
  | (Delivery & {
      readonly verb: 'send';
      readonly appliedWhen: 'first-item';
      readonly readTo: 'first-item' | 'end';
      /** The call that the words resolve: one TOOL_CALL_RESULT once they are applied. */
      readonly toolResult?: { readonly toolCallId: string; readonly content: string };
    });

export type DeliveryPlan =
  | {
      readonly kind: 'deliver';
      readonly steps: readonly DeliveryStep[];
      /**
       * How the run goes on: the task was busy all the while and is joined (`follow`: snapshot, then SubscribeToTask),
       * or the last step's stream is the run's stream (and is followed if it ends before the task does).
       */
      readonly continuesBy: 'follow' | 'last-stream';
    }
  /**
   * A question was walked away from: the whole task is cancelled. Sibling permissions are denied first, whatever was
   * answered, so that no tool slips through before the cancel arrives; a denial that fails does not hold the cancel
   * up. Once cancelled, `answers` are recorded as applied and nothing waits.
   */
  | {
      readonly kind: 'cancel';
      readonly denials: readonly DeliveryStep[];
      readonly taskId: TaskId;
      readonly answers: readonly Answer[];
    };

/** A2A message ids of iac-code: 1 to 128 of these characters. */
const lawfulMessageId = /^[A-Za-z0-9_.:-]{1,128}$/;

/** `answers` is not empty and in the order of the request. */
export function planDelivery(answers: readonly Answer[], target: DeliveryTarget): DeliveryPlan {
  const spoken = answers.filter(isSpoken);
  if (spoken.length < answers.length) return planCancel(answers, spoken, target);
  const steps = inOrder(spoken).map((answer) => toStep(answer, target));
  const continuesBy = steps.some(({ verb }) => verb === 'send') ? 'last-stream' : 'follow';
  return { kind: 'deliver', steps, continuesBy };
}

function isSpoken(answer: Answer): answer is SpokenAnswer {
  return answer.content.kind !== 'withdrawn';
}

function planCancel(
  answers: readonly Answer[],
  spoken: readonly SpokenAnswer[],
  target: DeliveryTarget,
): DeliveryPlan {
  const denials = inOrder(spoken)
    .filter(({ content }) => content.kind === 'permission')
    .map((answer): SpokenAnswer => ({ ...answer, content: { kind: 'permission', decision: 'deny' } }))
    .map((answer) => toStep(answer, target));
  return { kind: 'cancel', denials, taskId: target.taskId, answers };
}

/**
 * Sideband permissions first: they are acknowledged at once and disturb nothing. Then the permissions that hold the
 * task, then the questions, whose streams carry on with it.
 */
function inOrder(answers: readonly SpokenAnswer[]): readonly SpokenAnswer[] {
  const rank = ({ content, pending }: Answer): number =>
    content.kind !== 'permission' ? 2 : pending.sideband ? 0 : 1;
  return answers.toSorted((a, b) => rank(a) - rank(b));
}

function toStep(answer: SpokenAnswer, target: DeliveryTarget): DeliveryStep {
  const { content, pending, interruptId } = answer;
  if (content.kind === 'permission' && pending.sideband) {
    // The id is the same in every try, whatever the run: an answer already taken can be recognised as such.
    const message = toMessage(answer, target, messageId(`agui-resume-${interruptId}`));
    return { verb: 'answer', appliedWhen: 'replied', answer, message };
  }
  const message = toMessage(answer, target, messageId(`agui-resume-${target.runId}-${interruptId}`));
  const toolCallId = stringAt(pending.input, 'toolUseId');
  const words = wordsOf(content);
  return {
    verb: 'send',
    appliedWhen: 'first-item',
    // A kernel may hold the stream of one permission open until the next is answered: waiting for its end could
    // last for ever. That of a question ends when the task asks again.
    readTo: content.kind === 'permission' ? 'first-item' : 'end',
    answer,
    message,
    ...(toolCallId && words !== undefined ? { toolResult: { toolCallId, content: words } } : {}),
  };
}

function toMessage(answer: SpokenAnswer, target: DeliveryTarget, id: string): A2aMessage {
  const { content } = answer;
  return {
    messageId: id,
    role: 'ROLE_USER',
    contextId: target.contextId,
    taskId: target.taskId,
    parts: [toPart(answer, target)],
    ...(content.kind === 'resource' ? { metadata: { iac_code: { inputResponse: content.response } } } : {}),
  };
}

function toPart(answer: SpokenAnswer, target: DeliveryTarget): A2aPart {
  const { content } = answer;
  switch (content.kind) {
    case 'permission':
      return { data: permissionData(answer, content, target), mediaType: 'application/json' };
    case 'data':
      return { data: content.data, mediaType: 'application/json' };
    case 'text':
    case 'resource':
      return { text: content.text };
    default:
      return assertNever(content);
  }
}

/** Exactly these six members: iac-code refuses an answer with any other, and offers no editing. */
function permissionData(
  { pending, interruptId }: Answer,
  { decision, editedArgs }: Extract<AnswerContent, { kind: 'permission' }>,
  { taskId }: DeliveryTarget,
): JsonObject {
  return {
    schemaVersion: 1,
    kind: 'permission',
    requestTaskId: stringAt(pending.input, 'requestTaskId') || taskId,
    inputId: interruptId,
    toolUseId: stringAt(pending.input, 'toolUseId') ?? '',
    decision,
    ...(editedArgs === undefined ? {} : { editedArgs }),
  };
}

/** What the user is seen to have said; a permission shows itself by what its tool then does. */
function wordsOf(content: SpokenAnswer['content']): string | undefined {
  switch (content.kind) {
    case 'permission':
      return undefined;
    case 'text':
    case 'resource':
      return content.text;
    case 'data':
      return JSON.stringify(content.data);
    default:
      return assertNever(content);
  }
}

function messageId(wanted: string): string {
  if (lawfulMessageId.test(wanted)) return wanted;
  return `agui-resume-${createHash('sha256').update(wanted).digest('hex')}`;
}
