/** An SQS queue, encrypted and TLS only, with a dead-letter queue; FIFO when asked for. */
import { fitName, named } from '../resource-name.ts';
import type { Part } from '../template-request.ts';
import type { Fragment, TemplateSection } from '../template-value.ts';
import { getAtt, ref } from './intrinsics.ts';

const DAY_S = 24 * 60 * 60;
/** Leaves room for `-dlq.fifo` within the 80 characters of a queue's name. */
const NAME_LENGTH = 70;

export function queueFragment(part: Extract<Part, { kind: 'queue' }>): Fragment {
  const fifo = part.fifo === true;
  const name = fitName(part.name, { maxLength: NAME_LENGTH });
  const ending = fifo ? '.fifo' : '';
  const order: TemplateSection = fifo ? { FifoQueue: true, ContentBasedDeduplication: true } : {};
  return {
    summary: `an encrypted SQS ${fifo ? 'FIFO ' : ''}queue with a dead-letter queue`,
    parameters: {
      QueueMaxReceiveCount: {
        Type: 'Number',
        Default: 5,
        MinValue: 1,
        MaxValue: 1000,
        Description: 'Deliveries of a message before it moves to the dead-letter queue.',
      },
    },
    resources: {
      DeadLetterQueue: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          ...named('QueueName', name && `${name}-dlq${ending}`),
          ...order,
          SqsManagedSseEnabled: true,
          MessageRetentionPeriod: 14 * DAY_S,
        },
      },
      Queue: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          ...named('QueueName', name && `${name}${ending}`),
          ...order,
          SqsManagedSseEnabled: true,
          MessageRetentionPeriod: 4 * DAY_S,
          VisibilityTimeout: 60,
          ReceiveMessageWaitTimeSeconds: 20,
          RedrivePolicy: {
            deadLetterTargetArn: getAtt('DeadLetterQueue.Arn'),
            maxReceiveCount: ref('QueueMaxReceiveCount'),
          },
        },
      },
      QueuePolicy: queuePolicy,
    },
    outputs: {
      QueueUrl: { Description: 'URL of the queue.', Value: ref('Queue') },
      QueueArn: { Description: 'ARN of the queue.', Value: getAtt('Queue.Arn') },
      DeadLetterQueueUrl: { Description: 'URL of the dead-letter queue.', Value: ref('DeadLetterQueue') },
    },
  };
}

/** One policy for both queues; `*` there means the queue that carries it. */
const queuePolicy: TemplateSection = {
  Type: 'AWS::SQS::QueuePolicy',
  Properties: {
    Queues: [ref('Queue'), ref('DeadLetterQueue')],
    PolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'DenyInsecureTransport',
          Effect: 'Deny',
          Principal: '*',
          Action: 'sqs:*',
          Resource: '*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
      ],
    },
  },
};
