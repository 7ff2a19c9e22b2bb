/** A VPC with vSwitches over the zones of the region; with a NAT gateway and its own address when asked for. */
import { defaultBlock, planAddresses } from '../address-plan.ts';
import { fitName } from '../resource-name.ts';
import type { Part } from '../template-request.ts';
import type { Fragment, TemplateSection, TemplateValue } from '../template-value.ts';
import { getAtt, join, nameOr, ref, select, zones } from './functions.ts';

type VpcPart = Extract<Part, { kind: 'vpc' }>;

export const vSwitchIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_none, index) => `VSwitch${index + 1}`);

/** Throws `RangeError` when the block can't hold the vSwitches. */
export function rosVpcFragment(part: VpcPart, count: number): Fragment {
  const plan = planAddresses(part.cidr ?? defaultBlock, count);
  const name = fitName(part.name, { maxLength: 100, letterFirst: true });
  const hasNat = part.nat === true;
  return {
    summary: `a VPC with ${count} vSwitches${hasNat ? ' and a NAT gateway' : ''}`,
    parameters: {
      VpcCidr: {
        Type: 'String',
        Default: plan.block,
        Description: 'IPv4 block of the VPC; the vSwitches are cut from it.',
      },
    },
    resources: {
      Vpc: {
        Type: 'ALIYUN::ECS::VPC',
        Properties: { VpcName: nameOr(name, 'vpc'), CidrBlock: ref('VpcCidr') },
      },
      ...vSwitches(name, count, plan.hostBits),
      ...(hasNat ? natGateway(name, count) : {}),
    },
    outputs: {
      VpcId: { Description: 'Id of the VPC.', Value: ref('Vpc') },
      VSwitchIds: {
        Description: 'Ids of the vSwitches, by comma.',
        Value: join(',', vSwitchIds(count).map(ref)),
      },
    },
  };
}

function vSwitches(name: string | undefined, count: number, hostBits: number): TemplateSection {
  const blocks: TemplateValue = { 'Fn::Cidr': [ref('VpcCidr'), count, hostBits] };
  const entries = vSwitchIds(count).map((id, index) => [
    id,
    {
      Type: 'ALIYUN::ECS::VSwitch',
      Properties: {
        VpcId: ref('Vpc'),
        // Every region has two zones; more vSwitches share them.
        ZoneId: select(index % 2, zones),
        CidrBlock: select(index, blocks),
        VSwitchName: nameOr(name === undefined ? undefined : `${name}-${index + 1}`, `vswitch-${index + 1}`),
      },
    },
  ]);
  return Object.fromEntries(entries) as TemplateSection;
}

function natGateway(name: string | undefined, count: number): TemplateSection {
  return {
    NatGateway: {
      Type: 'ALIYUN::VPC::NatGateway',
      Properties: {
        VpcId: ref('Vpc'),
        VSwitchId: ref('VSwitch1'),
        NatType: 'Enhanced',
        InternetChargeType: 'PayByLcu',
        NatGatewayName: nameOr(name === undefined ? undefined : `${name}-nat`, 'nat'),
      },
    },
    NatAddress: {
      Type: 'ALIYUN::VPC::EIP',
      Properties: { Bandwidth: 10, InternetChargeType: 'PayByTraffic' },
    },
    NatAddressAssociation: {
      Type: 'ALIYUN::VPC::EIPAssociation',
      Properties: { AllocationId: ref('NatAddress'), InstanceId: ref('NatGateway') },
    },
    NatRule: {
      Type: 'ALIYUN::VPC::SnatEntry',
      DependsOn: 'NatAddressAssociation',
      Properties: {
        SnatTableId: getAtt('NatGateway', 'SNatTableId'),
        SnatIp: getAtt('NatAddress', 'EipAddress'),
        SourceVSwitchIds: vSwitchIds(count).map(ref),
      },
    },
  };
}
