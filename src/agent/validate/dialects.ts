/** Where CloudFormation and ROS templates differ, apart from their resource types. */
import type { Platform } from './report.ts';

export interface Dialect {
  readonly platform: Platform;
  readonly versionSection: string;
  readonly version: string;
  readonly isVersionRequired: boolean;
  readonly sections: ReadonlySet<string>;
  readonly resourceMembers: ReadonlySet<string>;
  readonly parameterMembers: ReadonlySet<string>;
  readonly parameterType: RegExp;
  readonly deletionPolicies: ReadonlySet<string>;
  readonly logicalId: RegExp;
  readonly maxResources: number;
  readonly maxParameters: number;
  readonly maxOutputs: number;
  readonly pseudoParameters: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  /** ROS gains functions often. */
  readonly unknownFunction: 'error' | 'warning';
}

const sharedSections = [
  'Description',
  'Metadata',
  'Parameters',
  'Rules',
  'Mappings',
  'Conditions',
  'Transform',
  'Resources',
  'Outputs',
];
const sharedParameterMembers = [
  'Type',
  'Default',
  'Description',
  'AllowedValues',
  'AllowedPattern',
  'ConstraintDescription',
  'MaxLength',
  'MinLength',
  'MaxValue',
  'MinValue',
  'NoEcho',
];
const sharedFunctions = ['GetAtt', 'Sub', 'Join', 'Select', 'Split', 'If', 'FindInMap', 'GetAZs', 'Base64'];
const conditionFunctions = ['And', 'Or', 'Not', 'Equals'];

function functions(...names: readonly string[]): ReadonlySet<string> {
  return new Set([...sharedFunctions, ...conditionFunctions, ...names].map((name) => `Fn::${name}`));
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

export const cloudFormation: Dialect = {
  platform: 'cloudformation',
  versionSection: 'AWSTemplateFormatVersion',
  version: '2010-09-09',
  isVersionRequired: false,
  sections: new Set([...sharedSections, 'AWSTemplateFormatVersion', 'Hooks', 'Globals']),
  resourceMembers: new Set(
    words(
      'Type Properties DependsOn Condition DeletionPolicy UpdateReplacePolicy Metadata CreationPolicy UpdatePolicy',
    ),
  ),
  parameterMembers: new Set(sharedParameterMembers),
  parameterType:
    /^(?:String|Number|CommaDelimitedList|List<(?:Number|String)>|(?:List<)?AWS::[A-Za-z0-9:]+>?|AWS::SSM::Parameter::(?:Name|Value<.+>))$/,
  deletionPolicies: new Set(words('Delete Retain Snapshot RetainExceptOnCreate')),
  logicalId: /^[A-Za-z0-9]{1,255}$/,
  maxResources: 500,
  maxParameters: 200,
  maxOutputs: 200,
  pseudoParameters: new Set(
    words(
      'AWS::AccountId AWS::NotificationARNs AWS::NoValue AWS::Partition AWS::Region AWS::StackId AWS::StackName AWS::URLSuffix',
    ),
  ),
  functions: functions(
    ...words(
      'ImportValue Cidr Transform Length ToJsonString ForEach Contains EachMemberEquals EachMemberIn RefAll ValueOf ValueOfAll GetStackOutput',
    ),
  ),
  unknownFunction: 'error',
};

export const ros: Dialect = {
  platform: 'ros',
  versionSection: 'ROSTemplateFormatVersion',
  version: '2015-09-01',
  isVersionRequired: true,
  sections: new Set([...sharedSections, 'ROSTemplateFormatVersion', 'Workspace', 'Locals']),
  resourceMembers: new Set(
    words('Type Properties DependsOn Condition DeletionPolicy Metadata Count UpdatePolicy'),
  ),
  parameterMembers: new Set([
    ...sharedParameterMembers,
    ...words('Label AssociationProperty AssociationPropertyMetadata Confirm TextArea Required Placeholder'),
  ]),
  parameterType: /^(?:String|Number|CommaDelimitedList|Json|Boolean|(?:List<)?ALIYUN::[A-Za-z0-9:<>]+>?)$/,
  deletionPolicies: new Set(words('Delete Retain')),
  logicalId: /^[A-Za-z0-9_-]{1,255}$/,
  maxResources: 300,
  maxParameters: 200,
  maxOutputs: 200,
  pseudoParameters: new Set(
    words(
      'ALIYUN::StackId ALIYUN::StackName ALIYUN::TenantId ALIYUN::Region ALIYUN::AccountId ALIYUN::NoValue ALIYUN::Index ALIYUN::ResourceGroupId',
    ),
  ),
  functions: functions(
    ...words(
      'Base64Encode Base64Decode Replace Str ListMerge GetJsonValue MergeMapToList MergeMap Avg SelectMapList Add Max Min Any Index Length Jq FormatTime MarketplaceImage GetStackOutput Calculate Cidr Indent Contains EachMemberIn MatchPattern',
    ),
  ),
  unknownFunction: 'warning',
};
