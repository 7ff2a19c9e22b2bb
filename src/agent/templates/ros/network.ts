/** Where a part that needs a network finds one: the template's own VPC, or one that the user names. */
import type { TemplateSection, TemplateValue } from '../template-value.ts';
import { ref } from './functions.ts';

export interface RosNetwork {
  readonly vpc: TemplateValue;
  readonly vSwitch: TemplateValue;
  /** The VPC's block, where this template knows it. */
  readonly block: TemplateValue | undefined;
  readonly parameters: TemplateSection;
}

export function ownRosNetwork(): RosNetwork {
  return { vpc: ref('Vpc'), vSwitch: ref('VSwitch1'), block: ref('VpcCidr'), parameters: {} };
}

export function givenRosNetwork(): RosNetwork {
  return {
    vpc: ref('VpcId'),
    vSwitch: ref('VSwitchId'),
    block: undefined,
    parameters: {
      VpcId: {
        Type: 'String',
        AssociationProperty: 'ALIYUN::ECS::VPC::VPCId',
        Description: 'Id of the VPC to use.',
      },
      VSwitchId: {
        Type: 'String',
        AssociationProperty: 'ALIYUN::VPC::VSwitch::VSwitchId',
        AssociationPropertyMetadata: { VpcId: '${VpcId}' },
        Description: 'Id of the vSwitch to use.',
      },
    },
  };
}
