/**
 * Asks a person what interrupted runs want to know. Ctrl-C at a question walks away from it and from those behind it,
 * which is an answer of its own in AG-UI (`cancelled`).
 */
import type { Interrupt, ResumeEntry } from '../protocol/interrupt.ts';
import type { JsonValue } from '../protocol/json.ts';
import { type Choice, type Field, planQuestion } from './question-plan.ts';

/** The kinds of prompts; `undefined` is an empty answer. Rejects with an `ExitPromptError` on Ctrl-C. */
export interface Prompter {
  choose(message: string, choices: readonly Choice[]): Promise<JsonValue>;
  chooseMany(message: string, choices: readonly Choice[]): Promise<readonly JsonValue[]>;
  confirm(message: string): Promise<boolean>;
  text(message: string, check: (text: string) => true | string): Promise<string>;
}

type Answer = { readonly payload: JsonValue } | 'left';

export async function askInterrupts(
  interrupts: readonly Interrupt[],
  prompter: Prompter,
  now: number,
): Promise<readonly ResumeEntry[]> {
  const entries: ResumeEntry[] = [];
  let isLeft = false;
  for (const interrupt of interrupts) {
    const answer: Answer | undefined =
      isLeft || isExpired(interrupt, now) ? undefined : await askOne(interrupt, prompter);
    isLeft ||= answer === 'left';
    entries.push(
      answer === undefined || answer === 'left'
        ? { interruptId: interrupt.id, status: 'cancelled' }
        : { interruptId: interrupt.id, status: 'resolved', payload: answer.payload },
    );
  }
  return entries;
}

/** An expired question can only be walked away from; AG-UI's own rule. */
function isExpired({ expiresAt }: Interrupt, now: number): boolean {
  return typeof expiresAt === 'string' && Date.parse(expiresAt) <= now;
}

async function askOne(interrupt: Interrupt, prompter: Prompter): Promise<Answer> {
  const { message, fields } = planQuestion(interrupt);
  const payload: Record<string, JsonValue> = {};
  try {
    for (const [index, field] of fields.entries()) {
      // The question itself stands in front of its first field.
      const words = [index === 0 ? message : '', fields.length > 1 || index > 0 ? field.title : ''];
      const value = await askField(field, words.filter(Boolean).join(' · '), prompter);
      if (field.name === undefined) return { payload: value ?? null };
      if (value !== undefined) payload[field.name] = value;
    }
    return { payload };
  } catch (thrown) {
    if (isExit(thrown)) return 'left';
    throw thrown;
  }
}

export function isExit(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'ExitPromptError';
}

async function askField(field: Field, message: string, prompter: Prompter): Promise<JsonValue | undefined> {
  const { ask, isRequired } = field;
  switch (ask.kind) {
    case 'choice': {
      const none = { label: '(none)', value: null };
      const value = await prompter.choose(message, isRequired ? ask.choices : [...ask.choices, none]);
      return value === null && !isRequired ? undefined : value;
    }
    case 'choices':
      return prompter.chooseMany(message, ask.choices);
    case 'yes-no':
      return prompter.confirm(message);
    case 'text':
      return emptyAsAbsent(
        await prompter.text(
          message,
          required(isRequired, () => true),
        ),
        isRequired,
      );
    case 'number': {
      const text = await prompter.text(
        message,
        required(isRequired, (given) => checkNumber(given, ask)),
      );
      return text.trim() === '' ? undefined : Number(text);
    }
    case 'json': {
      const text = await prompter.text(`${message} (JSON)`, required(isRequired, checkJson));
      return text.trim() === '' ? undefined : (JSON.parse(text) as JsonValue);
    }
  }
}

type Check = (text: string) => true | string;

function required(isRequired: boolean, check: Check): Check {
  return (text) => (text.trim() === '' ? !isRequired || 'an answer is needed' : check(text));
}

function emptyAsAbsent(text: string, isRequired: boolean): string | undefined {
  return text === '' && !isRequired ? undefined : text;
}

function checkNumber(
  text: string,
  {
    min = Number.NEGATIVE_INFINITY,
    max = Number.POSITIVE_INFINITY,
    isWhole,
  }: Extract<Field['ask'], { kind: 'number' }>,
): true | string {
  const value = Number(text);
  if (!Number.isFinite(value)) return 'not a number';
  if (isWhole && !Number.isInteger(value)) return 'not a whole number';
  return (value >= min && value <= max) || `from ${min} to ${max}`;
}

function checkJson(text: string): true | string {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return 'not JSON';
  }
}
