import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { synthesised } from './support/synthesised.ts';
import { DIGEST, variantNames } from './support/variants.ts';

const RUNTIME = 'AWS::BedrockAgentCore::Runtime';
const ENDPOINT = 'AWS::BedrockAgentCore::RuntimeEndpoint';
const shipped = () => synthesised('as shipped').agent;
const withTokens = () => synthesised('bearer tokens, a table, a model behind an inference profile').agent;

describe.each(variantNames)('a deployment: %s', (name) => {
  it('has no finding of the AWS Solutions rules that nobody gave a reason for', () => {
    expect(() => synthesised(name)).not.toThrow();
  });

  it('runs AGUI from an image named by digest', () => {
    const [runtime] = Object.values(synthesised(name).agent.findResources(RUNTIME));
    expect(runtime?.['Properties'].ProtocolConfiguration).toBe('AGUI');
    expect(JSON.stringify(runtime?.['Properties'].AgentRuntimeArtifact)).toContain(`@${DIGEST}`);
  });

  it('lets only this account’s runtime of this name take the execution role', () => {
    const roles = Object.values(synthesised(name).agent.findResources('AWS::IAM::Role'));
    const trusts = roles.flatMap(({ Properties }) => Properties.AssumeRolePolicyDocument.Statement);
    const ours = trusts.filter(({ Principal }) => Principal.Service === 'bedrock-agentcore.amazonaws.com');
    expect(ours).toHaveLength(1);
    expect(ours[0].Condition.StringEquals['aws:SourceAccount']).toBe('111122223333');
    expect(JSON.stringify(ours[0].Condition.ArnLike['aws:SourceArn'])).toMatch(
      /:runtime\/(agui|jwt)_agent\*/,
    );
  });

  it('gives the container no action by wildcard', () => {
    const policies = Object.values(synthesised(name).agent.findResources('AWS::IAM::Policy'));
    const actions = policies.flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action),
    );
    expect(actions.filter((action: string) => action.includes('*'))).toEqual([]);
    expect(actions.some((action: string) => action.startsWith('bedrock:'))).toBe(
      JSON.stringify(synthesised(name).agent.findResources(RUNTIME)).includes(
        '"AGUI_MODEL_PROVIDER":"bedrock"',
      ),
    );
  });

  it('keeps every log group for a limited time', () => {
    const { agent, build } = synthesised(name);
    for (const template of [agent, build]) {
      for (const { Properties } of Object.values(template.findResources('AWS::Logs::LogGroup'))) {
        if (JSON.stringify(Properties.LogGroupName ?? '').includes('/aws/'))
          expect(Properties.RetentionInDays).toBe(30);
      }
    }
  });
});

describe('the runtime', () => {
  it('keeps session state under a mount of its own and tells the server so', () => {
    shipped().hasResourceProperties(RUNTIME, {
      FilesystemConfigurations: [{ SessionStorage: { MountPath: '/mnt/state' } }],
      EnvironmentVariables: Match.objectLike({
        AGUI_CONFIG_DIR: '/mnt/state',
        AGUI_WORKSPACE_DIR: '/mnt/state/workspace',
      }),
      NetworkConfiguration: { NetworkMode: 'PUBLIC' },
      LifecycleConfiguration: { IdleRuntimeSessionTimeout: 900, MaxLifetime: 28_800 },
      AuthorizerConfiguration: Match.absent(),
    });
  });

  it('has the platform and the server check the same tokens', () => {
    withTokens().hasResourceProperties(RUNTIME, {
      AuthorizerConfiguration: {
        CustomJWTAuthorizer: {
          DiscoveryUrl: 'https://issuer.example/.well-known/openid-configuration',
          AllowedClients: ['client-1', 'client-2'],
          AllowedAudience: ['urn:agent'],
          AllowedScopes: ['agent/invoke'],
          CustomClaims: [
            claimRule('tenant', 'STRING', 'EQUALS', { MatchValueString: 'acme' }),
            claimRule('groups', 'STRING_ARRAY', 'CONTAINS', { MatchValueString: 'agents' }),
            claimRule('roles', 'STRING_ARRAY', 'CONTAINS_ANY', {
              MatchValueStringList: ['reader', 'writer'],
            }),
          ],
        },
      },
      EnvironmentVariables: Match.objectLike({
        AGUI_AUTH: 'jwt',
        AGUI_JWT_DISCOVERY_URL: 'https://issuer.example/.well-known/openid-configuration',
        AGUI_JWT_ALLOWED_CLIENTS: 'client-1,client-2',
        AGUI_JWT_ALLOWED_AUDIENCE: 'urn:agent',
        AGUI_JWT_ALLOWED_SCOPES: 'agent/invoke',
        AGUI_JWT_CUSTOM_CLAIMS:
          '[{"name":"tenant","equals":"acme"},{"name":"groups","contains":"agents"},{"name":"roles","containsAny":["reader","writer"]}]',
      }),
      RequestHeaderConfiguration: {
        RequestHeaderAllowlist: ['Authorization', 'X-Amzn-Bedrock-AgentCore-Runtime-Custom-Locale'],
      },
      PlatformVersion: 'V2',
    });
  });

  it('keeps the token from the container when only the platform checks it', () => {
    synthesised('tokens that only the platform checks').agent.hasResourceProperties(RUNTIME, {
      RequestHeaderConfiguration: Match.absent(),
      EnvironmentVariables: Match.objectLike({ AGUI_AUTH: 'none' }),
    });
  });

  it('pins endpoints to the versions of the settings and lets only the asked one move', () => {
    withTokens().hasResourceProperties(ENDPOINT, { Name: 'prod', AgentRuntimeVersion: '3' });
    withTokens().hasResourceProperties(ENDPOINT, {
      Name: 'next',
      AgentRuntimeVersion: { 'Fn::GetAtt': [Match.anyValue(), 'AgentRuntimeVersion'] },
    });
  });

  it('makes the log group of an endpoint before the endpoint', () => {
    const [endpoint] = Object.values(shipped().findResources(ENDPOINT));
    const groups = Object.keys(shipped().findResources('AWS::Logs::LogGroup'));
    expect(endpoint?.['DependsOn'].some((id: string) => groups.includes(id))).toBe(true);
  });

  it('joins subnets and groups that exist', () => {
    synthesised('an existing VPC and a remote agent').agent.hasResourceProperties(RUNTIME, {
      NetworkConfiguration: {
        NetworkMode: 'VPC',
        NetworkModeConfig: {
          Subnets: ['subnet-0123456789abcdef0'],
          SecurityGroups: ['sg-0123456789abcdef0'],
        },
      },
      EnvironmentVariables: Match.objectLike({ AGUI_KERNEL_URL: 'https://agent.internal.example/a2a' }),
    });
  });

  it('gets a VPC by zone id without a way to the internet', () => {
    const { agent } = synthesised('a VPC of its own');
    for (const zone of ['use1-az1', 'use1-az4'])
      agent.hasResourceProperties('AWS::EC2::Subnet', { AvailabilityZoneId: zone });
    agent.resourceCountIs('AWS::EC2::InternetGateway', 0);
    agent.resourceCountIs('AWS::EC2::NatGateway', 0);
    for (const name of ['ecr.api', 'ecr.dkr', 'logs', 's3', 'dynamodb', 'bedrock-runtime']) {
      agent.hasResourceProperties('AWS::EC2::VPCEndpoint', {
        ServiceName: `com.amazonaws.us-east-1.${name}`,
      });
    }
  });
});

describe('what the container may do', () => {
  it('includes the model in every region of the profile, and the profile, and nothing else of Bedrock', () => {
    withTokens().hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Sid: 'Model',
            Resource: ['eu-west-1', 'eu-central-1']
              .map((region) => joined(`:bedrock:${region}::foundation-model/anthropic.claude-x-v1:0`))
              .concat(joined(':bedrock:eu-west-1:111122223333:inference-profile/eu.anthropic.claude-x-v1:0')),
          }),
        ]),
      },
    });
  });

  it('includes the one table', () => {
    const table = Object.keys(withTokens().findResources('AWS::DynamoDB::Table'))[0];
    withTokens().hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'].map(
              (name) => `dynamodb:${name}`,
            ),
            Resource: [{ 'Fn::GetAtt': [table, 'Arn'] }],
          }),
        ]),
      },
    });
  });
});

describe('callers', () => {
  it('may call by HTTP and WebSocket, on the pinned endpoints only, and never for somebody else', () => {
    shipped().hasResourceProperties('AWS::IAM::ManagedPolicy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({
            Effect: 'Allow',
            Action: Match.arrayWith(['bedrock-agentcore:InvokeAgentRuntimeWithWebSocketStream']),
            Resource: [
              { 'Fn::GetAtt': [Match.anyValue(), 'AgentRuntimeArn'] },
              {
                'Fn::Join': [
                  '',
                  [{ 'Fn::GetAtt': [Match.anyValue(), 'AgentRuntimeArn'] }, '/runtime-endpoint/prod'],
                ],
              },
            ],
          }),
          Match.objectLike({
            Effect: 'Deny',
            Action: Match.arrayWith(['bedrock-agentcore:InvokeAgentRuntimeForUser']),
          }),
        ],
      },
    });
  });

  it('need no policy when they bring tokens', () => {
    withTokens().resourceCountIs('AWS::IAM::ManagedPolicy', 0);
  });

  it('find commands to paste in the outputs', () => {
    shipped().hasOutput('Invoke', { Value: joined('--qualifier prod') });
    withTokens().hasOutput('PlainCall', { Value: joined('Authorization: Bearer $ACCESS_TOKEN') });
  });
});

describe('the build', () => {
  it('runs on arm64 with docker, from the source’s own buildspec', () => {
    synthesised('as shipped').build.hasResourceProperties('AWS::CodeBuild::Project', {
      Environment: Match.objectLike({
        Type: 'ARM_CONTAINER',
        Image: 'aws/codebuild/amazonlinux-aarch64-standard:3.0',
        PrivilegedMode: true,
      }),
      Source: Match.objectLike({ Type: 'S3', BuildSpec: 'buildspec.yml' }),
    });
  });

  it('pushes into a repository that scans, takes each tag once and keeps the newest', () => {
    const { build } = synthesised('as shipped');
    build.hasResourceProperties('AWS::ECR::Repository', {
      ImageTagMutability: 'IMMUTABLE',
      ImageScanningConfiguration: { ScanOnPush: true },
      LifecyclePolicy: { LifecyclePolicyText: Match.serializedJson(Match.objectLike({})) },
    });
    build.hasResource('AWS::ECR::Repository', { DeletionPolicy: 'Retain' });
    synthesised('callers that may speak for users, no session storage, no tracing').build.hasResource(
      'AWS::ECR::Repository',
      { DeletionPolicy: 'Delete' },
    );
  });
});

/** A joined string of which one part has this text. */
function joined(text: string): ReturnType<typeof Match.objectLike> {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return Match.objectLike({ 'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp(escaped)])] });
}

function claimRule(name: string, type: string, operator: string, value: object): object {
  return {
    InboundTokenClaimName: name,
    InboundTokenClaimValueType: type,
    AuthorizingClaimMatchValue: { ClaimMatchOperator: operator, ClaimMatchValue: value },
  };
}
