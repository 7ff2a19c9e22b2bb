/** An OSS bucket and an MNS queue, each private and with its usual safeguards. */
import { fitName } from '../resource-name.ts';
import type { Part } from '../template-request.ts';
import type { Fragment, TemplateValue } from '../template-value.ts';
import { getAtt, nameOr, ref, sub } from './functions.ts';

export function rosBucketFragment(part: Extract<Part, { kind: 'bucket' }>): Fragment {
  const name = fitName(part.name, { maxLength: 63, minLength: 3, lowerCase: true });
  return {
    summary: 'an encrypted, private OSS bucket',
    resources: {
      Bucket: {
        Type: 'ALIYUN::OSS::Bucket',
        Properties: {
          // Unique over all accounts, and lower case, which a stack's name need not be.
          BucketName: name ?? sub('bucket-${ALIYUN::StackId}'),
          AccessControl: 'private',
          BlockPublicAccess: true,
          ServerSideEncryptionConfiguration: { SSEAlgorithm: 'AES256' },
          VersioningConfiguration: { Status: 'Enabled' },
        },
      },
    },
    outputs: {
      BucketName: { Description: 'Name of the bucket.', Value: getAtt('Bucket', 'Name') },
      BucketDomain: { Description: 'Public domain of the bucket.', Value: getAtt('Bucket', 'DomainName') },
    },
  };
}

export function rosQueueFragment(part: Extract<Part, { kind: 'queue' }>): Fragment {
  const name = fitName(part.name, { maxLength: 200, letterFirst: true });
  const queue = (queueName: TemplateValue, more: Record<string, TemplateValue>): TemplateValue => ({
    Type: 'ALIYUN::MNS::Queue',
    Properties: { QueueName: queueName, MessageRetentionPeriod: 345_600, LoggingEnabled: true, ...more },
  });
  return {
    summary:
      part.fifo === true
        ? 'a queue with a dead-letter queue (MNS knows no FIFO queues)'
        : 'a queue with a dead-letter queue',
    resources: {
      DeadLetterQueue: queue(
        nameOr(name === undefined ? undefined : `${name}-dead-letter`, 'dead-letter'),
        {},
      ),
      Queue: queue(nameOr(name, 'queue'), {
        VisibilityTimeout: 30,
        PollingWaitSeconds: 10,
        DlqPolicy: { Enabled: true, DeadLetterTargetQueue: ref('DeadLetterQueue'), MaxReceiveCount: 5 },
      }),
    },
    outputs: {
      QueueUrl: { Description: 'Address of the queue.', Value: getAtt('Queue', 'QueueUrl') },
      QueueName: { Description: 'Name of the queue.', Value: getAtt('Queue', 'QueueName') },
    },
  };
}
