/** A private S3 bucket: encrypted, versioned, TLS only, kept when the stack goes. */
import { fitName, named } from '../resource-name.ts';
import type { Part } from '../template-request.ts';
import type { Fragment, TemplateValue } from '../template-value.ts';
import { getAtt, ref, sub } from './intrinsics.ts';

export function bucketFragment(part: Extract<Part, { kind: 'bucket' }>): Fragment {
  const name = fitName(part.name, { minLength: 3, maxLength: 63, lowerCase: true });
  return {
    summary: 'a private, encrypted and versioned S3 bucket',
    resources: {
      Bucket: {
        Type: 'AWS::S3::Bucket',
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          ...named('BucketName', name),
          BucketEncryption: {
            ServerSideEncryptionConfiguration: [
              { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
            ],
          },
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
          OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
          VersioningConfiguration: { Status: 'Enabled' },
          LifecycleConfiguration: { Rules: lifecycleRules },
        },
      },
      BucketPolicy: {
        Type: 'AWS::S3::BucketPolicy',
        Properties: { Bucket: ref('Bucket'), PolicyDocument: tlsOnly },
      },
    },
    outputs: {
      BucketName: { Description: 'Name of the bucket.', Value: ref('Bucket') },
      BucketArn: { Description: 'ARN of the bucket.', Value: getAtt('Bucket.Arn') },
    },
  };
}

const lifecycleRules: TemplateValue = [
  {
    Id: 'abort-incomplete-uploads',
    Status: 'Enabled',
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
  },
  {
    Id: 'expire-old-versions',
    Status: 'Enabled',
    NoncurrentVersionExpiration: { NoncurrentDays: 90 },
  },
];

const tlsOnly: TemplateValue = {
  Version: '2012-10-17',
  Statement: [
    {
      Sid: 'DenyInsecureTransport',
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:*',
      Resource: [getAtt('Bucket.Arn'), sub('${Bucket.Arn}/*')],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
  ],
};
