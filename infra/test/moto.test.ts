/**
 * The stacks applied to moto, which stands for the account: what it knows of (IAM, ECR, DynamoDB, log groups) is created
 * from our templates and read back through the services' own APIs. Moto's CloudFormation has no AgentCore types, so that
 * runtime and endpoints are taken out first, and the runtime is created by its own API. It passes over alarms, dashboard
 * and the scan setting of ECR; those are held against the specification only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonTool } from './support/python-tool.ts';
import { synthesised } from './support/synthesised.ts';
import { DIGEST } from './support/variants.ts';

const moto = pythonTool('moto_server', 'moto[server]==5.2.1');
const REGION = 'eu-west-1';
const RUNTIME_ARN = `arn:aws:bedrock-agentcore:${REGION}:123456789012:runtime/jwt_agent-0123456789`;

type Json = Record<string, unknown>;

describe.skipIf(moto === undefined)('an account in moto', () => {
  let server: ChildProcess;
  let url: string;
  const { build, agent } = synthesised('bearer tokens, a table, a model behind an inference profile');

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    server = spawn(moto ?? '', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    await untilUp(url);
    await json('ssm', 'AmazonSSM.PutParameter', {
      Name: '/cdk-bootstrap/hnb659fds/version',
      Value: '30',
      Type: 'String',
    });
    await createStack('build', build.toJSON());
    await createStack('agent', withoutAgentCore(agent));
  });

  afterAll(async () => {
    server.kill();
    await once(server, 'exit');
  });

  it('has the repository with immutable tags', async () => {
    const { repositories } = await json(
      'ecr',
      'AmazonEC2ContainerRegistry_V20150921.DescribeRepositories',
      {},
    );
    expect(repositories).toMatchObject([
      {
        repositoryName: 'agentcore-agui',
        imageTagMutability: 'IMMUTABLE',
      },
    ]);
  });

  it('has the execution role, trusting the service only for this runtime', async () => {
    const said = decodeURIComponent(
      await query('iam', { Action: 'GetRole', RoleName: `jwt-agent-execution-${REGION}` }),
    );
    expect(said).toContain('bedrock-agentcore.amazonaws.com');
    expect(said).toContain(`:bedrock-agentcore:${REGION}:`);
    expect(said).toContain(':runtime/jwt_agent*');
  });

  it('has the table that the server is told of, with time to live', async () => {
    const { Table } = await json('dynamodb', 'DynamoDB_20120810.DescribeTable', {
      TableName: 'jwt-agent-threads',
    });
    expect(Table).toMatchObject({
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      KeySchema: [{ KeyType: 'HASH' }],
    });
  });

  it('has log groups that end', async () => {
    const { logGroups } = await json('logs', 'Logs_20140328.DescribeLogGroups', {
      logGroupNamePrefix: '/aws/',
    });
    const groups = logGroups as { logGroupName: string; retentionInDays?: number }[];
    expect(groups.map(({ logGroupName }) => logGroupName).sort()).toEqual([
      '/aws/bedrock-agentcore/runtimes/jwt_agent-0123456789-next',
      '/aws/bedrock-agentcore/runtimes/jwt_agent-0123456789-prod',
      '/aws/codebuild/jwt-agent-image',
    ]);
    for (const { retentionInDays } of groups) expect(retentionInDays).toBe(30);
  });

  it('accepts the runtime of the template by the service’s own API', async () => {
    const [resource] = Object.values(agent.findResources('AWS::BedrockAgentCore::Runtime'));
    const properties = (resource as { Properties: Json }).Properties;
    const response = await fetch(`${url}/runtimes/`, {
      method: 'PUT',
      headers: { authorization: credential('bedrock-agentcore'), 'content-type': 'application/json' },
      body: JSON.stringify({
        agentRuntimeName: properties['AgentRuntimeName'],
        agentRuntimeArtifact: {
          containerConfiguration: {
            containerUri: `123456789012.dkr.ecr.${REGION}.amazonaws.com/agentcore-agui@${DIGEST}`,
          },
        },
        roleArn: `arn:aws:iam::123456789012:role/jwt-agent-execution-${REGION}`,
        networkConfiguration: { networkMode: (properties['NetworkConfiguration'] as Json)['NetworkMode'] },
        protocolConfiguration: { serverProtocol: properties['ProtocolConfiguration'] },
        environmentVariables: { AGUI_AUTH: 'jwt' },
      }),
    });
    expect(await response.json()).toMatchObject({ agentRuntimeVersion: '1' });
    expect(response.ok).toBe(true);
  });

  async function createStack(name: string, template: Json): Promise<void> {
    const said = await query('cloudformation', {
      Action: 'CreateStack',
      Version: '2010-05-15',
      StackName: name,
      TemplateBody: JSON.stringify(template),
      'Capabilities.member.1': 'CAPABILITY_NAMED_IAM',
    });
    expect(said).toContain('<StackId>');
    const state = await query('cloudformation', {
      Action: 'DescribeStacks',
      Version: '2010-05-15',
      StackName: name,
    });
    expect(state).toContain('CREATE_COMPLETE');
  }

  async function query(service: string, form: Record<string, string>): Promise<string> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: credential(service) },
      body: new URLSearchParams(form),
    });
    return response.text();
  }

  async function json(service: string, target: string, body: Json): Promise<Json> {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: credential(service),
        'x-amz-target': target,
        'content-type': `application/x-amz-json-${['dynamodb', 'monitoring'].includes(service) ? '1.0' : '1.1'}`,
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Json;
  }
});

/** Moto reads service and region from here and does not check the signature. */
function credential(service: string): string {
  const scope = `test/20260101/${REGION}/${service}/aws4_request`;
  return `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
}

/** The template without AgentCore's types and outputs; what others take from the runtime becomes a plain value. */
function withoutAgentCore(template: Template): Json {
  const {
    Outputs: _outputs,
    Resources,
    ...rest
  } = template.toJSON() as { Resources: Record<string, { Type: string }> } & Json;
  const ids = Object.keys(template.findResources('AWS::BedrockAgentCore::Runtime'));
  const kept = Object.entries(Resources).filter(
    ([, { Type }]) => !Type.startsWith('AWS::BedrockAgentCore::'),
  );
  const plain = JSON.stringify(Object.fromEntries(kept), (_key, value: unknown) => {
    const [id, attribute] = (value as { 'Fn::GetAtt'?: string[] } | null)?.['Fn::GetAtt'] ?? [];
    if (!ids.includes(id ?? '')) return value;
    return attribute === 'AgentRuntimeArn' ? RUNTIME_ARN : 'jwt_agent-0123456789';
  });
  return { ...rest, Resources: JSON.parse(plain) as Json };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function untilUp(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const isUp = await fetch(`${url}/moto-api/`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(100);
  }
  throw new Error('moto_server did not start');
}
