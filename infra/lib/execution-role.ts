/**
 * What the container may do in the account: pull its one image, write its own logs, traces and metrics, and only where
 * the settings ask for it call the model and use the table. Wildcards that AWS leaves no choice about are acknowledged
 * with their reason, one by one.
 */
import { Aws, Stack, Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { arn, kebab, logGroupPrefix } from './names.ts';
import type { BedrockModel, Settings } from './settings-type.ts';

export function createExecutionRole(scope: Construct, settings: Settings, table?: ITable): Role {
  const stack = Stack.of(scope);
  const role = new Role(scope, 'ExecutionRole', {
    roleName: `${kebab(settings)}-execution-${settings.region}`,
    description: `What the containers of the runtime ${settings.name} may do`,
    assumedBy: new ServicePrincipal('bedrock-agentcore.amazonaws.com', {
      conditions: {
        StringEquals: { 'aws:SourceAccount': stack.account },
        ArnLike: { 'aws:SourceArn': arn(stack, 'bedrock-agentcore', `runtime/${settings.name}*`) },
      },
    }),
  });
  for (const statement of [
    ...imageStatements(stack, settings),
    ...logStatements(stack, settings),
    ...telemetryStatements(),
    ...(settings.model.provider === 'bedrock' ? [modelStatement(stack, settings.model)] : []),
  ]) {
    role.addToPolicy(statement);
  }
  table?.grant(
    role,
    'dynamodb:GetItem',
    'dynamodb:BatchGetItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
  );
  acknowledgeWildcards(role, settings);
  return role;
}

function imageStatements(stack: Stack, settings: Settings): PolicyStatement[] {
  return [
    allow(
      'EcrPull',
      ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
      [arn(stack, 'ecr', `repository/${settings.image.repository}`)],
    ),
    allow('EcrToken', ['ecr:GetAuthorizationToken'], ['*']),
  ];
}

function logStatements(stack: Stack, settings: Settings): PolicyStatement[] {
  const groups = arn(stack, 'logs', `log-group:${logGroupPrefix(settings)}*`);
  return [
    allow('LogsGroup', ['logs:CreateLogGroup', 'logs:DescribeLogStreams'], [groups]),
    allow('LogsDescribe', ['logs:DescribeLogGroups'], [arn(stack, 'logs', 'log-group:*')]),
    allow('LogsWrite', ['logs:CreateLogStream', 'logs:PutLogEvents'], [`${groups}:log-stream:*`]),
  ];
}

function telemetryStatements(): PolicyStatement[] {
  const metrics = allow('Metrics', ['cloudwatch:PutMetricData'], ['*']);
  metrics.addCondition('StringEquals', { 'cloudwatch:namespace': 'bedrock-agentcore' });
  return [
    allow(
      'XRay',
      [
        'xray:PutTraceSegments',
        'xray:PutTelemetryRecords',
        'xray:GetSamplingRules',
        'xray:GetSamplingTargets',
      ],
      ['*'],
    ),
    metrics,
  ];
}

/** An inference profile calls the foundation model of the same name, without its first part, in any of its regions. */
function modelStatement(stack: Stack, { modelId, regions }: BedrockModel): PolicyStatement {
  const isProfile = /^(?:us|us-gov|eu|apac|jp|au|ca|global)\./.test(modelId);
  const foundation = isProfile ? modelId.slice(modelId.indexOf('.') + 1) : modelId;
  return allow(
    'Model',
    ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'],
    [...new Set([stack.region, ...regions])]
      .map((region) => `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${foundation}`)
      .concat(isProfile ? [arn(stack, 'bedrock', `inference-profile/${modelId}`)] : []),
  );
}

function acknowledgeWildcards(role: Role, settings: Settings): void {
  const place = (resource: string): string =>
    `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:${settings.region}:${settings.account ?? '<AWS::AccountId>'}:log-group:${resource}]`;
  const groups = `${logGroupPrefix(settings)}*`;
  const reason =
    'The platform names log groups after runtime id and endpoint, which are not known before creation';
  Validations.of(role).acknowledge(
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'ecr:GetAuthorizationToken, X-Ray and PutMetricData know no resources; metrics are bound to a namespace',
    },
    { id: place(groups), reason },
    { id: place(`${groups}:log-stream:*`), reason },
    { id: place('*'), reason: 'logs:DescribeLogGroups is a listing and reveals names only' },
  );
}

function allow(sid: string, actions: string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ sid, effect: Effect.ALLOW, actions, resources });
}
