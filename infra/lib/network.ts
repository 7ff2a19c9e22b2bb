/**
 * The runtime's network. A VPC of its own has no way to the internet: one isolated subnet per availability zone, chosen
 * by zone id because the platform serves only some zones, and endpoints for exactly the services that the server calls.
 */
import { Fn, Stack } from 'aws-cdk-lib';
import type { CfnRuntime } from 'aws-cdk-lib/aws-bedrockagentcore';
import {
  CfnRouteTable,
  CfnSecurityGroup,
  CfnSecurityGroupIngress,
  CfnSubnet,
  CfnSubnetRouteTableAssociation,
  CfnVPC,
  CfnVPCEndpoint,
  FlowLog,
  FlowLogDestination,
  FlowLogResourceType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { NewVpc, Settings } from './settings-type.ts';

export function createNetwork(scope: Construct, settings: Settings): CfnRuntime.NetworkConfigurationProperty {
  const { network } = settings;
  switch (network.kind) {
    case 'public':
      return { networkMode: 'PUBLIC' };
    case 'existing-vpc':
      return vpcMode(
        network.subnets.map(({ id }) => id),
        [...network.securityGroups],
      );
    case 'new-vpc':
      return createVpc(scope, settings, network);
  }
}

function vpcMode(subnets: string[], securityGroups: string[]): CfnRuntime.NetworkConfigurationProperty {
  return { networkMode: 'VPC', networkModeConfig: { subnets, securityGroups } };
}

function createVpc(
  scope: Construct,
  settings: Settings,
  network: NewVpc,
): CfnRuntime.NetworkConfigurationProperty {
  const stack = Stack.of(scope);
  const vpc = new CfnVPC(scope, 'Vpc', {
    cidrBlock: network.cidr,
    enableDnsHostnames: true,
    enableDnsSupport: true,
  });
  new FlowLog(scope, 'FlowLog', {
    resourceType: FlowLogResourceType.fromVpc(
      Vpc.fromVpcAttributes(scope, 'VpcOfFlowLog', {
        vpcId: vpc.ref,
        availabilityZones: [...network.zoneIds],
      }),
    ),
    destination: FlowLogDestination.toCloudWatchLogs(
      new LogGroup(scope, 'FlowLogs', { retention: settings.logs.retentionDays as RetentionDays }),
    ),
  });
  const routes = new CfnRouteTable(scope, 'Routes', { vpcId: vpc.ref });
  const blocks = Fn.cidr(network.cidr, 16, '8');
  const subnets = network.zoneIds.map((zoneId, at) => {
    const subnet = new CfnSubnet(scope, `Subnet${at + 1}`, {
      vpcId: vpc.ref,
      availabilityZoneId: zoneId,
      cidrBlock: Fn.select(at, blocks),
      mapPublicIpOnLaunch: false,
    });
    new CfnSubnetRouteTableAssociation(scope, `Subnet${at + 1}Routes`, {
      subnetId: subnet.ref,
      routeTableId: routes.ref,
    });
    return subnet.ref;
  });
  const agent = new CfnSecurityGroup(scope, 'AgentGroup', {
    vpcId: vpc.ref,
    groupDescription: 'Containers of the agent',
  });
  const services = new CfnSecurityGroup(scope, 'ServicesGroup', {
    vpcId: vpc.ref,
    groupDescription: 'VPC endpoints',
  });
  allowHttps(scope, agent, services);
  const service = (name: string): string => `com.amazonaws.${stack.region}.${name}`;
  for (const name of interfaceServices(settings)) {
    new CfnVPCEndpoint(scope, `Endpoint-${name}`, {
      vpcId: vpc.ref,
      serviceName: service(name),
      vpcEndpointType: 'Interface',
      privateDnsEnabled: true,
      subnetIds: subnets,
      securityGroupIds: [services.attrGroupId],
    });
  }
  // Image layers come from S3; thread records, when asked for, go to DynamoDB. Both through route tables, free of charge.
  for (const name of ['s3', ...(settings.threads === 'dynamodb' ? ['dynamodb'] : [])]) {
    new CfnVPCEndpoint(scope, `Endpoint-${name}`, {
      vpcId: vpc.ref,
      serviceName: service(name),
      vpcEndpointType: 'Gateway',
      routeTableIds: [routes.ref],
    });
  }
  return vpcMode(subnets, [agent.attrGroupId]);
}

function interfaceServices({ model, tracing }: Settings): string[] {
  return [
    'ecr.api',
    'ecr.dkr',
    'logs',
    'monitoring',
    ...(tracing ? ['xray'] : []),
    ...(model.provider === 'bedrock' ? ['bedrock-runtime'] : []),
  ];
}

/** Without an explicit rule a security group lets everything out, so both directions are written down. */
function allowHttps(scope: Construct, agent: CfnSecurityGroup, services: CfnSecurityGroup): void {
  const https = { ipProtocol: 'tcp', fromPort: 443, toPort: 443 };
  new CfnSecurityGroupIngress(scope, 'HttpsFromAgent', {
    ...https,
    description: 'HTTPS from the containers',
    groupId: services.attrGroupId,
    sourceSecurityGroupId: agent.attrGroupId,
  });
  // Gateway endpoints have no security group; their addresses are public ones that only the route table knows.
  agent.securityGroupEgress = [
    { ...https, cidrIp: '0.0.0.0/0', description: 'HTTPS to VPC endpoints; no other route exists' },
  ];
  services.securityGroupEgress = [{ ipProtocol: '-1', cidrIp: '127.0.0.1/32', description: 'Nothing' }];
}
