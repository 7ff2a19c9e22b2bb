/** Agents for the chat page that do what a scenario needs, when it says so. */
import type { JsonObject } from '../../src/protocol/json.ts';
import type { Script } from '../support/scripted-kernel.ts';
import {
  aborted,
  extensionOf,
  inputOf,
  stateOf,
  submitted,
  type TaskNames,
  textOf,
} from '../support/scripted-kernel.ts';

export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

/** Says its first words, waits at the gate, and says the rest. */
export function saysInTwo(first: string, rest: string, { passed }: Gate): Script {
  return async function* (_send, names) {
    yield [submitted(names), textOf(names, first)];
    await passed;
    yield [textOf(names, rest), stateOf(names, 'TASK_STATE_COMPLETED')];
  };
}

export const worksUntilCancelled: Script = async function* (_send, names, signal) {
  yield [submitted(names), textOf(names, 'Working.')];
  await aborted(signal);
};

/** Words one by one, a hundred in a batch as a fast model behind a slow network brings them. */
export function saysManyWords(count: number, wordsInParagraph: number): Script {
  return async function* (_send, names) {
    yield [submitted(names)];
    for (let index = 0; index < count; index += 100) {
      yield Array.from({ length: 100 }, (_each, place) => {
        const number = index + place + 1;
        return textOf(names, number % wordsInParagraph === 0 ? `w${number}.\n\n` : `w${number} `);
      });
    }
    yield [stateOf(names, 'TASK_STATE_COMPLETED')];
  };
}

export function asksForm(schema: JsonObject): Script {
  return async function* ({ message }, names) {
    if (message.taskId === undefined) {
      yield [
        submitted(names),
        textOf(names, 'I need to know something.'),
        inputOf(names, { kind: 'form', inputId: 'form-1', prompt: 'How large?', responseSchema: schema }),
      ];
      return;
    }
    const answer = JSON.stringify(message.parts[0]?.data ?? message.parts[0]?.text);
    yield [textOf(names, `You said ${answer}`), stateOf(names, 'TASK_STATE_COMPLETED')];
  };
}

/** Everything that the page can show, for screenshots and the accessibility check. */
export const showsEverything: Script = async function* ({ message }, names) {
  if (message.taskId !== undefined) {
    yield [textOf(names, 'Plan A it is.'), stateOf(names, 'TASK_STATE_COMPLETED')];
    return;
  }
  yield [
    submitted(names),
    extensionOf(names, { thinking: { type: 'raw_thinking', text: 'Two plans come to mind.' } }),
  ];
  yield [textOf(names, markdown)];
  yield [extensionOf(names, { tool: { status: 'started', toolUseId: 'tu-1', name: 'write_file' } })];
  yield [
    extensionOf(names, {
      tool: { status: 'completed', toolUseId: 'tu-1', name: 'write_file', result: 'ok' },
    }),
    artifactOf(names, 'vpc.yml', 'Resources:\n  Vpc:\n    Type: AWS::EC2::VPC\n'),
    artifactOf(
      names,
      'vpc.yml',
      'Resources:\n  Vpc:\n    Type: AWS::EC2::VPC\n  Subnet:\n    Type: AWS::EC2::Subnet\n',
    ),
    ...plans.flatMap((plan, index) => candidateFrames(names, plan, index)),
    pipelineOf(names, 40, 'step', 'stack_progress', {
      stackId: 's-1',
      stackName: 'demo',
      status: 'CREATE_IN_PROGRESS',
      progressPercentage: 62,
      resources: [{ name: 'Vpc', type: 'AWS::EC2::VPC', status: 'CREATE_COMPLETE' }],
    }),
    extensionOf(names, {
      usage: { provider: 'offline', model: 'writer', inputTokens: 1234, outputTokens: 567 },
    }),
    inputOf(names, {
      kind: 'candidate_selection',
      inputId: 'choose-1',
      prompt: 'Which plan?',
      options: plans,
      allowFreeText: true,
    }),
  ];
};

const plans = [
  {
    id: '0',
    label: 'Plan A',
    summary: 'One zone, small.',
    totalMonthlyCost: '$12',
    costItems: [{ name: 'NAT', monthlyCost: '$12' }],
  },
  {
    id: '1',
    label: 'Plan B',
    summary: 'Two zones, stays up when one is down.',
    totalMonthlyCost: '$48',
    costItems: [],
  },
];

const markdown = `Here is what I found:

| zone | subnets |
| --- | ---: |
| a | 1 |
| b | 2 |

1. Write the template
2. Check it, with \`validate_template\`

\`\`\`yaml
Resources:
  Vpc:
    Type: AWS::EC2::VPC
\`\`\`
`;

function candidateFrames(
  names: TaskNames,
  plan: (typeof plans)[number],
  index: number,
): readonly JsonObject[] {
  const candidate = { id: `sp${index}`, runId: `r${index}`, index, name: plan.label };
  const { summary, totalMonthlyCost, costItems } = plan;
  const detail = { candidateName: plan.label, summary, totalMonthlyCost, costItems };
  const base = index * 10 + 1;
  return [
    pipelineOf(names, base, 'candidate', 'candidate_started', {}, candidate),
    pipelineOf(
      names,
      base + 1,
      'candidate',
      'candidate_detail_shown',
      { candidateIndex: index, detail },
      candidate,
    ),
    pipelineOf(
      names,
      base + 2,
      'candidate',
      'diagram_shown',
      { mermaidSource: 'graph LR\n  A[Internet] --> B[VPC]\n  B --> C[Subnet]' },
      candidate,
    ),
    pipelineOf(names, base + 3, 'candidate', 'candidate_completed', {}, candidate),
  ];
}

function pipelineOf(
  names: TaskNames,
  sequence: number,
  scope: string,
  eventType: string,
  data: JsonObject,
  candidate?: JsonObject,
): JsonObject {
  const envelope = {
    schemaVersion: '1.0',
    eventId: `evt-${sequence}`,
    sequence,
    eventType,
    scope,
    status: 'working',
    pipelineRunId: names.contextId,
    ...names,
    pipelineName: 'selling',
    ...(candidate === undefined ? {} : { candidate }),
    data,
  };
  return extensionOf(names, { pipeline: envelope });
}

function artifactOf({ taskId, contextId }: TaskNames, name: string, text: string): JsonObject {
  const artifact = { artifactId: name, name, parts: [{ text, filename: name, mediaType: 'text/yaml' }] };
  return { artifactUpdate: { taskId, contextId, lastChunk: true, artifact } };
}
