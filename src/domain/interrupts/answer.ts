/**
 * One answer: what a resume entry says in the kernel's terms, and the digest by which a repeat is told from a change.
 * Whether an answer may be given at all is `answers.ts`; the payload has been checked against the schema by then.
 */
import { createHash } from 'node:crypto';
import { assertNever } from '../../errors/assert-never.ts';
import type { ResumeEntry } from '../../protocol/interrupt.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../protocol/json.ts';
import { answerDigest as contentDigest } from '../thread/fingerprint.ts';
import type { PendingInterrupt } from '../thread/thread.ts';
import { type ConfirmationOption, type Option, type Question, readQuestion } from './question.ts';

export type AnswerContent =
  | {
      readonly kind: 'permission';
      readonly decision: 'allow_once' | 'deny';
      /** Arguments in the place of the agent's, where the question offered that. */
      readonly editedArgs?: JsonObject;
    }
  /** Words, as a person would type them to the kernel. */
  | { readonly kind: 'text'; readonly text: string }
  /** The payload as it is, for a question that brought its own schema. */
  | { readonly kind: 'data'; readonly data: JsonValue }
  /** iac-code's structured answer to a resource selection; `response` is its `inputResponse`. */
  | { readonly kind: 'resource'; readonly text: string; readonly response: JsonObject }
  /** The user walked away from a question. */
  | { readonly kind: 'withdrawn' };

export interface Answer {
  readonly interruptId: string;
  readonly pending: PendingInterrupt;
  readonly digest: string;
  readonly content: AnswerContent;
}

/**
 * SHA-256 (hex) of what an answer says. It is bound to its execution and interrupt, so that equal answers to different
 * questions can't be told from a stored thread.
 */
export function answerDigest(executionId: string, entry: ResumeEntry): string {
  const bound = JSON.stringify([executionId, entry.interruptId, contentDigest(entry)]);
  return createHash('sha256').update(bound).digest('hex');
}

/** What the entry tells the kernel, or undefined when the payload holds no answer. */
export function readContent(pending: PendingInterrupt, entry: ResumeEntry): AnswerContent | undefined {
  const question = readQuestion(pending.input);
  if (entry.status === 'cancelled') return cancelledContent(question, pending.input, entry.payload);
  const payload = isJsonObject(entry.payload) ? entry.payload : {};
  switch (question.kind) {
    case 'permission':
      return permissionContent(question.editable !== undefined, payload);
    case 'choice':
      return textContent(choiceText(question.options, question.ofCandidates, payload));
    case 'confirmation':
      return confirmationContent(question.options, payload);
    case 'resource':
      return selectedResource(question.selectorId, pending.input, payload);
    case 'form':
      return { kind: 'data', data: entry.payload ?? null };
    default:
      return assertNever(question);
  }
}

function permissionContent(isEditable: boolean, payload: JsonObject): AnswerContent {
  if (payload['decision'] !== 'allow_once') return { kind: 'permission', decision: 'deny' };
  const editedArgs = isEditable ? objectAt(payload, 'editedArgs') : undefined;
  return {
    kind: 'permission',
    decision: 'allow_once',
    ...(editedArgs === undefined ? {} : { editedArgs }),
  };
}

function cancelledContent(
  question: Question,
  input: JsonObject,
  payload: JsonValue | undefined,
): AnswerContent {
  if (question.kind === 'permission') return { kind: 'permission', decision: 'deny' };
  if (question.kind !== 'resource') return { kind: 'withdrawn' };
  const optionsEmpty =
    isJsonObject(payload) && payload['optionsEmpty'] === true ? { optionsEmpty: true } : {};
  const response = { ...resourceResponse(question.selectorId, input, 'canceled'), ...optionsEmpty };
  return { kind: 'resource', text: 'canceled', response };
}

function choiceText(
  options: readonly Option[],
  ofCandidates: boolean,
  payload: JsonObject,
): string | undefined {
  const freeText = stringAt(payload, 'freeText');
  if (freeText?.trim()) return freeText;
  const selectedId = stringAt(payload, 'selectedId');
  const index = options.findIndex(({ id }) => id === selectedId);
  return index < 0 ? undefined : kernelWords(options, index, ofCandidates);
}

/**
 * The words by which the kernel finds this option and no other. It looks for an id, then a label, then a number from
 * 1; for a candidate it knows names and `candidate <n>` only. Where labels repeat, the next way that is unmistakable
 * is taken.
 */
function kernelWords(options: readonly Option[], index: number, ofCandidates: boolean): string | undefined {
  const option = options[index];
  if (option === undefined) return undefined;
  const numbered = ofCandidates ? `candidate ${index + 1}` : String(index + 1);
  const ways = ofCandidates
    ? [option.kernelLabel, numbered]
    : [option.kernelLabel, option.kernelId, numbered];
  return (
    ways.find((words) => words?.trim() && namesOnly(options, index, words)) ?? option.kernelLabel ?? option.id
  );
}

function namesOnly(options: readonly Option[], index: number, words: string): boolean {
  return options.every(
    (other, at) => at === index || (other.kernelId !== words && other.kernelLabel !== words),
  );
}

function confirmationContent(
  options: readonly ConfirmationOption[],
  payload: JsonObject,
): AnswerContent | undefined {
  const selected = options.find(({ id }) => id === payload['selectedId']);
  const action = selected?.action ?? stringAt(payload, 'action');
  if (!action) return undefined;
  const overrides = objectAt(payload, 'parameter_overrides') ?? {};
  return { kind: 'text', text: JSON.stringify({ action, parameter_overrides: overrides }) };
}

function selectedResource(
  selectorId: string,
  input: JsonObject,
  payload: JsonObject,
): AnswerContent | undefined {
  const value = [stringAt(payload, 'value'), stringAt(payload, 'freeText')].find((text) => text?.trim());
  if (value === undefined) return undefined;
  const label = stringAt(payload, 'label') || value;
  const response = { ...resourceResponse(selectorId, input, 'selected'), value, label };
  return { kind: 'resource', text: label, response };
}

function resourceResponse(
  selectorId: string,
  input: JsonObject,
  status: 'selected' | 'canceled',
): JsonObject {
  const { requestTaskId, contextId, inputId, toolUseId } = input;
  const ids = Object.entries({ requestTaskId, contextId, inputId, toolUseId });
  return {
    schemaVersion: 1,
    kind: 'cloud_resource_selection',
    status,
    ...Object.fromEntries(ids.filter(([, id]) => id !== undefined)),
    selectorId,
  };
}

function textContent(text: string | undefined): AnswerContent | undefined {
  return text?.trim() ? { kind: 'text', text } : undefined;
}
