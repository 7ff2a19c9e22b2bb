import { describe, expect, it } from 'vitest';
import { type DeliveryStep, planDelivery } from '../../../../src/domain/interrupts/delivery-plan.ts';
import { runId } from '../../../../src/protocol/ids.ts';
import {
  allow,
  answerOf,
  deny,
  permission,
  question,
  say,
  select,
  target,
  waiting,
  walkAway,
} from './examples.ts';

const side = (id: string) => permission(id, { sideband: true });
const outline = (steps: readonly DeliveryStep[]) =>
  steps.map((step) => [
    step.answer.interruptId,
    step.verb,
    step.appliedWhen,
    step.verb === 'send' ? step.readTo : '',
  ]);
const steps = (plan: ReturnType<typeof planDelivery>) =>
  plan.kind === 'deliver' ? plan.steps : plan.denials;

describe('delivering answers', () => {
  it('sends a permission as one data part of exactly the six members that the kernel takes', () => {
    const [step] = steps(planDelivery([answerOf(permission(), allow())], target));

    expect(step?.message).toEqual({
      messageId: 'agui-resume-run-2-permission-1',
      role: 'ROLE_USER',
      contextId: 'ctx-7',
      taskId: 'task-31',
      parts: [
        {
          data: {
            schemaVersion: 1,
            kind: 'permission',
            requestTaskId: 'task-31',
            inputId: 'permission-1',
            toolUseId: 'tool-of-permission-1',
            decision: 'allow_once',
          },
          mediaType: 'application/json',
        },
      ],
    });
  });

  it('fills in the task of a permission that named none, and never says "undefined"', () => {
    const pending = waiting({ kind: 'permission', inputId: 'p' });
    const [step] = steps(planDelivery([answerOf(pending, deny('p'))], target));

    expect(step?.message.parts[0]?.data).toMatchObject({ requestTaskId: 'task-31', toolUseId: '' });
  });

  it('sends a question as words and shows what its call was told', () => {
    const [step] = steps(planDelivery([answerOf(question(), select('hz'))], target));

    expect(step?.message.parts).toEqual([{ text: 'Hangzhou' }]);
    expect(step).toMatchObject({ verb: 'send', toolResult: { toolCallId: 'tu-6', content: 'Hangzhou' } });
  });

  it("sends the answer to an agent's own form as data", () => {
    const pending = waiting({ inputId: 'f', responseSchema: { type: 'object' } });
    const [step] = steps(
      planDelivery([answerOf(pending, { interruptId: 'f', status: 'resolved', payload: { a: 1 } })], target),
    );

    expect(step?.message.parts).toEqual([{ data: { a: 1 }, mediaType: 'application/json' }]);
  });

  it('sends a resource selection with its structured answer beside the words', () => {
    const pending = waiting({ kind: 'cloud_resource_selection', inputId: 'r', selector: { id: 's' } });
    const [step] = steps(
      planDelivery(
        [answerOf(pending, { interruptId: 'r', status: 'resolved', payload: { value: 'v' } })],
        target,
      ),
    );

    expect(step?.message.parts).toEqual([{ text: 'v' }]);
    expect(step?.message.metadata).toMatchObject({
      iac_code: { inputResponse: { status: 'selected', value: 'v' } },
    });
  });

  it('keeps message ids within what the kernel takes, and distinct', () => {
    const long = { ...target, runId: runId('ü'.repeat(1000)) };
    const ids = ['a', 'b'].map(
      (id) => steps(planDelivery([answerOf(permission(id), allow(id))], long))[0]?.message.messageId,
    );

    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_.:-]{1,128}$/);
  });

  it('gives a sideband answer the same id in every try', () => {
    const ids = ['run-2', 'run-3'].map(
      (run) =>
        steps(planDelivery([answerOf(side('s'), allow('s'))], { ...target, runId: runId(run) }))[0]?.message
          .messageId,
    );

    expect(ids).toEqual(['agui-resume-s', 'agui-resume-s']);
  });
});

describe('the order of delivery', () => {
  it('acknowledges sideband permissions one by one and joins the task that went on', () => {
    const plan = planDelivery([answerOf(side('s1'), allow('s1')), answerOf(side('s2'), deny('s2'))], target);

    expect(plan).toMatchObject({ kind: 'deliver', continuesBy: 'follow' });
    expect(outline(steps(plan))).toEqual([
      ['s1', 'answer', 'replied', ''],
      ['s2', 'answer', 'replied', ''],
    ]);
  });

  it('delivers permissions and questions of one resume, sideband first and questions last', () => {
    const plan = planDelivery(
      [
        answerOf(question('q1'), say('x', 'q1')),
        answerOf(permission('p1'), allow('p1')),
        answerOf(side('s1'), allow('s1')),
        answerOf(question('q2'), say('y', 'q2')),
      ],
      target,
    );

    expect(plan).toMatchObject({ kind: 'deliver', continuesBy: 'last-stream' });
    expect(outline(steps(plan))).toEqual([
      ['s1', 'answer', 'replied', ''],
      ['p1', 'send', 'first-item', 'first-item'],
      ['q1', 'send', 'first-item', 'end'],
      ['q2', 'send', 'first-item', 'end'],
    ]);
  });

  it('sends every one of several questions, in the order of the request', () => {
    const plan = planDelivery(
      ['q3', 'q1', 'q2'].map((id) => answerOf(question(id), say(`to ${id}`, id))),
      target,
    );

    expect(steps(plan).map((step) => step.message.parts[0]?.text)).toEqual(['to q3', 'to q1', 'to q2']);
  });
});

describe('walking away from a question', () => {
  const answers = [
    answerOf(permission('p1'), allow('p1')),
    answerOf(question('q1'), walkAway('q1')),
    answerOf(side('s1'), deny('s1')),
    answerOf(question('q2'), say('x', 'q2')),
  ];
  const plan = planDelivery(answers, target);

  it('cancels the task after every sibling permission was denied, also one that was allowed', () => {
    expect(plan).toMatchObject({ kind: 'cancel', taskId: 'task-31' });
    expect(
      steps(plan).map(({ answer, verb, message }) => [answer.interruptId, verb, message.parts[0]?.data]),
    ).toMatchObject([
      ['s1', 'answer', { decision: 'deny' }],
      ['p1', 'send', { decision: 'deny' }],
    ]);
  });

  it('has all answers of the request recorded, each as it was given', () => {
    expect(plan.kind === 'cancel' && plan.answers).toEqual(answers);
  });

  it('leaves a called-off resource selection to the kernel and cancels nothing', () => {
    const resource = waiting({ kind: 'cloud_resource_selection', inputId: 'r', selector: { id: 's' } });

    expect(planDelivery([answerOf(resource, walkAway('r'))], target).kind).toBe('deliver');
  });

  it('takes walking away from a permission for no and goes on', () => {
    expect(planDelivery([answerOf(permission(), walkAway('permission-1'))], target).kind).toBe('deliver');
  });
});
