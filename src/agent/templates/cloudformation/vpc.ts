/**
 * A VPC with public and private subnets over the availability zones of the region. One NAT gateway when asked for: it
 * serves all private subnets, which is the cheap choice; one in each zone would be the highly available one.
 */
import { defaultBlock, planAddresses } from '../address-plan.ts';
import type { Fragment, TemplateSection, TemplateValue } from '../template-value.ts';
import { cidr, getAtt, nameTag, ref, select, sub, zones } from './intrinsics.ts';
import { subnetIds, type VpcPart } from './network.ts';

/** Most regions have three zones, all have two. */
const zoneOf = (index: number, subnets: number): TemplateValue =>
  select(index % (subnets > 2 ? 3 : 2), zones());

/** `subnets` public and as many private subnets. Throws `RangeError` when the block can't hold them. */
export function vpcFragment(part: VpcPart, subnets: number): Fragment {
  const plan = planAddresses(part.cidr ?? defaultBlock, 2 * subnets);
  const block = (position: number): TemplateValue =>
    select(position, cidr(getAtt('Vpc.CidrBlock'), 2 * subnets, plan.hostBits));
  const nat = part.nat === true;
  return {
    summary: `a VPC with ${subnets} public and ${subnets} private subnets${nat ? ' and a NAT gateway' : ''}`,
    parameters: {
      VpcCidr: {
        Type: 'String',
        Default: plan.block,
        Description: 'IPv4 block of the VPC; the subnets are cut from it.',
        AllowedPattern: '^(\\d{1,3}\\.){3}\\d{1,3}/(1[6-9]|2[0-8])$',
        ConstraintDescription: 'must be an IPv4 block from /16 to /28',
      },
    },
    resources: {
      Vpc: {
        Type: 'AWS::EC2::VPC',
        Properties: {
          CidrBlock: ref('VpcCidr'),
          EnableDnsSupport: true,
          EnableDnsHostnames: true,
          Tags: [nameTag(part.name, 'vpc')],
        },
      },
      ...internetGateway(part.name),
      ...subnetTier(part.name, 'Public', subnets, (index) => block(index)),
      ...subnetTier(part.name, 'Private', subnets, (index) => block(subnets + index)),
      ...(nat ? natGateway(part.name) : {}),
    },
    outputs: vpcOutputs(subnets),
  };
}

function internetGateway(name: string | undefined): TemplateSection {
  return {
    InternetGateway: {
      Type: 'AWS::EC2::InternetGateway',
      Properties: { Tags: [nameTag(name, 'igw')] },
    },
    InternetGatewayAttachment: {
      Type: 'AWS::EC2::VPCGatewayAttachment',
      Properties: { VpcId: ref('Vpc'), InternetGatewayId: ref('InternetGateway') },
    },
    PublicDefaultRoute: {
      Type: 'AWS::EC2::Route',
      DependsOn: 'InternetGatewayAttachment',
      Properties: {
        RouteTableId: ref('PublicRouteTable'),
        DestinationCidrBlock: '0.0.0.0/0',
        GatewayId: ref('InternetGateway'),
      },
    },
  };
}

function subnetTier(
  name: string | undefined,
  access: 'Public' | 'Private',
  subnets: number,
  block: (index: number) => TemplateValue,
): TemplateSection {
  const table = `${access}RouteTable`;
  const resources: Record<string, TemplateValue> = {
    [table]: {
      Type: 'AWS::EC2::RouteTable',
      Properties: { VpcId: ref('Vpc'), Tags: [nameTag(name, access.toLowerCase())] },
    },
  };
  for (const [index, id] of subnetIds(access, subnets).entries()) {
    resources[id] = {
      Type: 'AWS::EC2::Subnet',
      Properties: {
        VpcId: ref('Vpc'),
        AvailabilityZone: zoneOf(index, subnets),
        CidrBlock: block(index),
        MapPublicIpOnLaunch: access === 'Public',
        Tags: [nameTag(name, `${access.toLowerCase()}-${index + 1}`)],
      },
    };
    resources[`${id}RouteTableAssociation`] = {
      Type: 'AWS::EC2::SubnetRouteTableAssociation',
      Properties: { SubnetId: ref(id), RouteTableId: ref(table) },
    };
  }
  return resources;
}

function natGateway(name: string | undefined): TemplateSection {
  return {
    NatAddress: {
      Type: 'AWS::EC2::EIP',
      DependsOn: 'InternetGatewayAttachment',
      Properties: { Domain: 'vpc', Tags: [nameTag(name, 'nat')] },
    },
    NatGateway: {
      Type: 'AWS::EC2::NatGateway',
      DependsOn: 'PublicDefaultRoute',
      Properties: {
        AllocationId: getAtt('NatAddress.AllocationId'),
        SubnetId: ref('PublicSubnet1'),
        Tags: [nameTag(name, 'nat')],
      },
    },
    PrivateDefaultRoute: {
      Type: 'AWS::EC2::Route',
      Properties: {
        RouteTableId: ref('PrivateRouteTable'),
        DestinationCidrBlock: '0.0.0.0/0',
        NatGatewayId: ref('NatGateway'),
      },
    },
  };
}

function vpcOutputs(subnets: number): TemplateSection {
  const list = (access: 'Public' | 'Private'): TemplateValue =>
    sub(
      subnetIds(access, subnets)
        .map((id) => `\${${id}}`)
        .join(','),
    );
  return {
    VpcId: { Description: 'Id of the VPC.', Value: ref('Vpc') },
    PublicSubnetIds: { Description: 'Ids of the public subnets, by comma.', Value: list('Public') },
    PrivateSubnetIds: { Description: 'Ids of the private subnets, by comma.', Value: list('Private') },
  };
}
