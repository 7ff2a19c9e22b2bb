/**
 * The running agent: role, runtime at a digest, endpoints pinned to versions, logs, alarms, dashboard, the callers'
 * policy, and the commands to call it with.
 */
import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  AgentRuntimeArtifact,
  type CfnRuntime,
  CustomClaimOperator,
  PlatformVersion,
  ProtocolType,
  Runtime,
  RuntimeAuthorizerConfiguration,
  RuntimeCustomClaim,
  RuntimeEndpoint,
} from 'aws-cdk-lib/aws-bedrockagentcore';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { createCallerPolicy } from './callers.ts';
import { clientCommands } from './client-commands.ts';
import { createExecutionRole } from './execution-role.ts';
import { imageUri, kebab } from './names.ts';
import { createNetwork } from './network.ts';
import { createAlarms, createDashboard, createLogGroup } from './observability.ts';
import { headerAllowlist, serverEnvironment } from './server-environment.ts';
import type { ClaimRule, Settings } from './settings-type.ts';

export interface AgentStackProps extends StackProps {
  readonly settings: Settings;
  /** sha256:... of the image to run. */
  readonly imageDigest: string;
}

export class AgentStack extends Stack {
  constructor(scope: Construct, id: string, props: AgentStackProps) {
    super(scope, id, props);
    const { settings, imageDigest } = props;
    const table = settings.threads === 'dynamodb' ? createTable(this, settings) : undefined;
    const role = createExecutionRole(this, settings, table);
    const headers = headerAllowlist(settings);
    const runtime = new Runtime(this, 'Runtime', {
      runtimeName: settings.name,
      description: 'agentcore-agui: AG-UI over SSE and WebSocket',
      agentRuntimeArtifact: AgentRuntimeArtifact.fromImageUri(imageUri(this, settings, imageDigest)),
      // The construct would add broader statements of its own to a role that it may change.
      executionRole: role.withoutPolicyUpdates(),
      protocolConfiguration: ProtocolType.AGUI,
      // V1 is what the service takes by itself, and not every region accepts the property.
      ...(settings.platformVersion === 'V2' ? { platformVersion: PlatformVersion.V2 } : {}),
      environmentVariables: { ...serverEnvironment(settings, table?.tableName) },
      authorizerConfiguration: authorizer(settings),
      ...(headers.length === 0 ? {} : { requestHeaderConfiguration: { allowlistedHeaders: [...headers] } }),
      lifecycleConfiguration: {
        idleRuntimeSessionTimeout: Duration.seconds(settings.session.idleSeconds),
        maxLifetime: Duration.seconds(settings.session.maxSeconds),
      },
      tracingEnabled: settings.tracing,
    });
    const resource = runtime.node.defaultChild as CfnRuntime;
    resource.node.addDependency(role);
    resource.addPropertyOverride('NetworkConfiguration', upperCased(createNetwork(this, settings)));
    if (settings.session.storage !== undefined) {
      resource.addPropertyOverride('FilesystemConfigurations', [
        { SessionStorage: { MountPath: settings.session.storage } },
      ]);
    }
    const groups = settings.endpoints.map(({ name, version }) => {
      const group = createLogGroup(this, settings, runtime, name);
      const endpoint = new RuntimeEndpoint(this, `Endpoint-${name}`, {
        endpointName: name,
        agentRuntimeId: runtime.agentRuntimeId,
        agentRuntimeVersion: version === 'newest' ? (runtime.agentRuntimeVersion ?? '1') : String(version),
      });
      endpoint.node.addDependency(group);
      return group;
    });
    createAlarms(this, settings, runtime);
    createDashboard(this, settings, runtime, groups);
    const callers = createCallerPolicy(this, settings, runtime.agentRuntimeArn);
    new CfnOutput(this, 'RuntimeArn', { value: runtime.agentRuntimeArn });
    new CfnOutput(this, 'RuntimeVersion', { value: runtime.agentRuntimeVersion ?? '' });
    if (callers !== undefined) new CfnOutput(this, 'CallerPolicyArn', { value: callers.managedPolicyArn });
    for (const { id: output, command } of clientCommands(settings, this.region, runtime.agentRuntimeArn)) {
      new CfnOutput(this, output, { value: command });
    }
  }
}

function authorizer({ auth }: Settings): RuntimeAuthorizerConfiguration {
  if (auth.kind === 'iam') return RuntimeAuthorizerConfiguration.usingIAM();
  const some = (list: readonly string[]): string[] | undefined => (list.length === 0 ? undefined : [...list]);
  return RuntimeAuthorizerConfiguration.usingJWT(
    auth.discoveryUrl,
    some(auth.allowedClients),
    some(auth.allowedAudience),
    some(auth.allowedScopes),
    auth.customClaims?.map(claim),
  );
}

function claim(rule: ClaimRule): RuntimeCustomClaim {
  const { name } = rule;
  if ('equals' in rule) return RuntimeCustomClaim.withStringValue(name, rule.equals);
  return 'contains' in rule
    ? RuntimeCustomClaim.withStringArrayValue(name, [rule.contains], CustomClaimOperator.CONTAINS)
    : RuntimeCustomClaim.withStringArrayValue(name, [...rule.containsAny], CustomClaimOperator.CONTAINS_ANY);
}

/** Partition key = session's thread, one item per thread; `expiresAt` (Unix seconds) lets forgotten ones go. */
function createTable(scope: Construct, settings: Settings): Table {
  return new Table(scope, 'Threads', {
    tableName: `${kebab(settings)}-threads`,
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    timeToLiveAttribute: 'expiresAt',
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: settings.onDelete === 'keep',
    removalPolicy: settings.onDelete === 'keep' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

/** An override speaks CloudFormation's names, not the construct's. */
function upperCased({ networkMode, networkModeConfig }: CfnRuntime.NetworkConfigurationProperty): object {
  const config = networkModeConfig as CfnRuntime.VpcConfigProperty | undefined;
  return {
    NetworkMode: networkMode,
    ...(config === undefined
      ? {}
      : { NetworkModeConfig: { Subnets: config.subnets, SecurityGroups: config.securityGroups } }),
  };
}
