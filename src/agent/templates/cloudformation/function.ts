/** A Lambda function with its code inline, its own log group, and a role that may write to that log group only. */
import { fitName, named } from '../resource-name.ts';
import type { Part } from '../template-request.ts';
import type { Fragment, TemplateSection, TemplateValue } from '../template-value.ts';
import { getAtt, ref } from './intrinsics.ts';

const runtimes = {
  nodejs: {
    runtime: 'nodejs24.x',
    code: [
      'exports.handler = async (event) => {',
      "  console.log(JSON.stringify({ message: 'invoked', keys: Object.keys(event ?? {}) }));",
      "  return { statusCode: 200, body: JSON.stringify({ message: 'Hello from Lambda' }) };",
      '};',
      '',
    ].join('\n'),
  },
  python: {
    runtime: 'python3.14',
    code: [
      'import json',
      '',
      '',
      'def handler(event, context):',
      '    print(json.dumps({"message": "invoked", "keys": sorted(event or {})}))',
      '    return {"statusCode": 200, "body": json.dumps({"message": "Hello from Lambda"})}',
      '',
    ].join('\n'),
  },
} as const;

export function functionFragment(part: Extract<Part, { kind: 'function' }>): Fragment {
  const language = runtimes[part.runtime ?? 'nodejs'];
  return {
    summary: `a Lambda function (${language.runtime}) with a least-privilege role and its own log group`,
    parameters: logRetention,
    resources: {
      FunctionLogGroup: {
        Type: 'AWS::Logs::LogGroup',
        DeletionPolicy: 'Delete',
        UpdateReplacePolicy: 'Retain',
        Properties: { RetentionInDays: ref('FunctionLogRetentionDays') },
      },
      FunctionRole: role,
      Function: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          ...named('FunctionName', fitName(part.name, { maxLength: 64 })),
          Runtime: language.runtime,
          Handler: 'index.handler',
          Architectures: ['arm64'],
          MemorySize: 256,
          Timeout: 30,
          Role: getAtt('FunctionRole.Arn'),
          LoggingConfig: { LogFormat: 'JSON', LogGroup: ref('FunctionLogGroup') },
          Code: { ZipFile: language.code },
        },
      },
    },
    outputs: {
      FunctionName: { Description: 'Name of the function.', Value: ref('Function') },
      FunctionArn: { Description: 'ARN of the function.', Value: getAtt('Function.Arn') },
    },
  };
}

const logRetention: TemplateSection = {
  FunctionLogRetentionDays: {
    Type: 'Number',
    Default: 30,
    AllowedValues: [7, 14, 30, 60, 90, 180, 365],
    Description: "Days that the function's log is kept.",
  },
};

const role: TemplateValue = {
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
      ],
    },
    Policies: [
      {
        PolicyName: 'write-own-log',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              Resource: getAtt('FunctionLogGroup.Arn'),
            },
          ],
        },
      },
    ],
  },
};
