/** What the check of a template finds, and what it lets pass. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadAwsSchema } from '../../../../src/agent/validate/aws-schema.ts';
import type { Platform, Report } from '../../../../src/agent/validate/report.ts';
import { loadRosSchema } from '../../../../src/agent/validate/ros-schema.ts';
import { checkTemplate } from '../../../../src/agent/validate/template-check.ts';

const schemas = { cloudformation: loadAwsSchema(), ros: loadRosSchema() };
const check = (text: string, platform?: Platform): Promise<Report> =>
  checkTemplate(text, platform, (of) => schemas[of]);

const lines = (...all: readonly string[]): string => all.join('\n');

const aws = (...resources: readonly string[]): string =>
  lines("AWSTemplateFormatVersion: '2010-09-09'", 'Resources:', ...resources);
const ros = (...resources: readonly string[]): string =>
  lines("ROSTemplateFormatVersion: '2015-09-01'", 'Resources:', ...resources);

const awsVpc = lines('  Vpc:', '    Type: AWS::EC2::VPC', '    Properties: { CidrBlock: 10.0.0.0/16 }');

/** What is wrong, the path and line that are told, and a piece of the message. */
const bad: readonly (readonly [string, string, string, number, string])[] = [
  [
    'a type that does not exist',
    aws('  B:', '    Type: AWS::S3::Bukket'),
    'Resources.B.Type',
    4,
    'AWS::S3::Bucket',
  ],
  [
    'a property that does not exist',
    aws('  V:', '    Type: AWS::EC2::VPC', '    Properties:', '      CidrBlok: 10.0.0.0/16'),
    'Resources.V.Properties.CidrBlok',
    6,
    'did you mean CidrBlock?',
  ],
  [
    'a required property that is missing',
    aws('  S:', '    Type: AWS::EC2::Subnet', '    Properties:', '      CidrBlock: 10.0.0.0/24'),
    'Resources.S.Properties.VpcId',
    6,
    'missing',
  ],
  [
    'a required property that is missing without any properties',
    aws('  S:', '    Type: AWS::EC2::Subnet'),
    'Resources.S.Properties.VpcId',
    4,
    'missing',
  ],
  [
    'a value that is not allowed, deep inside',
    aws(
      '  B:',
      '    Type: AWS::S3::Bucket',
      '    Properties:',
      '      BucketEncryption:',
      '        ServerSideEncryptionConfiguration:',
      '          - ServerSideEncryptionByDefault:',
      '              SSEAlgorithm: rot13',
    ),
    'Resources.B.Properties.BucketEncryption.ServerSideEncryptionConfiguration[0].ServerSideEncryptionByDefault.SSEAlgorithm',
    9,
    'is not one of',
  ],
  [
    'a text for a flag',
    aws(
      '  V:',
      '    Type: AWS::EC2::VPC',
      '    Properties: { EnableDnsSupport: perhaps, CidrBlock: 10.0.0.0/16 }',
    ),
    'Resources.V.Properties.EnableDnsSupport',
    5,
    'expected true or false',
  ],
  [
    'a list for a text',
    aws('  V:', '    Type: AWS::EC2::VPC', '    Properties: { CidrBlock: [10.0.0.0/16] }'),
    'Resources.V.Properties.CidrBlock',
    5,
    'expected a string',
  ],
  [
    'a reference to nothing',
    aws(
      '  S:',
      '    Type: AWS::EC2::Subnet',
      '    Properties: { VpcId: !Ref Vcp, CidrBlock: 10.0.0.0/24 }',
      awsVpc,
    ),
    'Resources.S.Properties.VpcId',
    5,
    'did you mean Vpc?',
  ],
  [
    'an attribute that the type does not have',
    aws(awsVpc, 'Outputs:', '  Arn:', '    Value: !GetAtt Vpc.Colour'),
    'Outputs.Arn.Value',
    8,
    'has no attribute Colour',
  ],
  [
    'a name in a substitution that is nobody',
    aws(awsVpc, 'Outputs:', '  Name:', `    Value: !Sub "\${AWS::StackName}-\${Nobody}"`),
    'Outputs.Name.Value',
    8,
    'nothing is called Nobody',
  ],
  [
    'a function that does not exist',
    aws('  V:', '    Type: AWS::EC2::VPC', '    Properties: { CidrBlock: !Conjure x }'),
    'Resources.V.Properties.CidrBlock',
    5,
    'unknown function Fn::Conjure',
  ],
  [
    'a fault in the second branch of a condition',
    lines(
      'Conditions:',
      '  IsBig: !Equals [a, a]',
      'Resources:',
      '  V:',
      '    Type: AWS::EC2::VPC',
      '    Properties:',
      '      CidrBlock: 10.0.0.0/16',
      '      EnableDnsSupport: !If [IsBig, true, perhaps]',
    ),
    'Resources.V.Properties.EnableDnsSupport',
    8,
    'expected true or false',
  ],
  [
    'a condition that is not there',
    aws(
      '  V:',
      '    Type: AWS::EC2::VPC',
      '    Condition: Sunny',
      '    Properties: { CidrBlock: 10.0.0.0/16 }',
    ),
    'Resources.V.Condition',
    5,
    'no condition is called Sunny',
  ],
  [
    'resources that wait for each other',
    aws(
      '  A:',
      '    Type: AWS::SNS::Topic',
      '    Properties: { DisplayName: !GetAtt B.QueueName }',
      '  B:',
      '    Type: AWS::SQS::Queue',
      '    DependsOn: A',
    ),
    'Resources',
    1,
    'A → B → A',
  ],
  [
    'a default that is not among the allowed values',
    lines(
      'Parameters:',
      '  Size:',
      '    Type: String',
      '    Default: m',
      '    AllowedValues: [s, l]',
      'Resources:',
      awsVpc,
    ),
    'Parameters.Size.Default',
    4,
    'AllowedValues',
  ],
  [
    'a parameter without a type',
    lines('Parameters:', '  Size:', '    Default: m', 'Resources:', awsVpc),
    'Parameters.Size.Type',
    3,
    'missing',
  ],
  [
    'an output without a value',
    aws(awsVpc, 'Outputs:', '  X: { Description: d }'),
    'Outputs.X.Value',
    7,
    'missing',
  ],
  [
    'a section that does not exist',
    lines('Resourcez: {}', 'Resources:', awsVpc),
    'Resourcez',
    1,
    'did you mean Resources?',
  ],
  ['no resources at all', "AWSTemplateFormatVersion: '2010-09-09'", 'Resources', 1, 'no resources'],
  [
    'a property of ROS that does not exist',
    ros('  V:', '    Type: ALIYUN::ECS::VPC', '    Properties:', '      CidrBlok: 10.0.0.0/8'),
    'Resources.V.Properties.CidrBlok',
    6,
    'did you mean CidrBlock?',
  ],
  [
    'a type of ROS that does not exist',
    ros('  V:', '    Type: ALIYUN::ECS::VPX'),
    'Resources.V.Type',
    4,
    'unknown resource type',
  ],
  [
    'a value that ROS does not allow',
    ros(
      '  B:',
      '    Type: ALIYUN::OSS::Bucket',
      '    Properties: { BucketName: b, AccessControl: everybody }',
    ),
    'Resources.B.Properties.AccessControl',
    5,
    'is not one of private',
  ],
  [
    'a number out of the range of ROS',
    ros('  Q:', '    Type: ALIYUN::MNS::Queue', '    Properties: { QueueName: q, DelaySeconds: 9999999 }'),
    'Resources.Q.Properties.DelaySeconds',
    5,
    'is more than 604800',
  ],
];

describe('the check of a template', () => {
  it.each(bad)('finds %s', async (_what, text, path, line, message) => {
    const report = await check(text);

    expect(report.valid).toBe(false);
    expect(report.problems).toEqual([
      { severity: 'error', path, line, message: expect.stringContaining(message) },
    ]);
  });

  it('lets functions stand wherever they can give what is wanted, in both spellings', async () => {
    const report = await check(
      lines(
        'Parameters:',
        '  Zone: { Type: "AWS::EC2::AvailabilityZone::Name" }',
        'Mappings: { Sizes: { a: { b: c } } }',
        'Conditions: { IsBig: !Not [!Equals [!Ref Zone, x]] }',
        'Resources:',
        awsVpc,
        '  S:',
        '    Type: AWS::EC2::Subnet',
        '    Condition: IsBig',
        '    Properties:',
        '      VpcId: { Ref: Vpc }',
        '      CidrBlock: !Select [0, !Cidr [!GetAtt Vpc.CidrBlock, 4, 8]]',
        '      AvailabilityZone: { "Fn::If": [IsBig, { Ref: Zone }, { Ref: "AWS::NoValue" }] }',
        '      Tags:',
        `        - { Key: a, Value: !Sub ["\${Own}-\${AWS::Region}-\${!Literal}", { Own: !FindInMap [Sizes, a, b] }] }`,
        'Outputs:',
        '  Id: { Value: { "Fn::GetAtt": [S, SubnetId] }, Condition: IsBig }',
      ),
    );

    expect(report).toEqual({ valid: true, platform: 'cloudformation', resources: 2, problems: [] });
  });

  it('reads JSON too', async () => {
    const text = JSON.stringify({
      Resources: { Q: { Type: 'AWS::SQS::Queue', Properties: { Fifo: true } } },
    });

    expect((await check(text)).problems).toMatchObject([{ path: 'Resources.Q.Properties.Fifo' }]);
  });

  it('only warns of a type that its schemas do not cover', async () => {
    const report = await check(ros('  T:', '    Type: ALIYUN::OTS::Table'));

    expect(report).toMatchObject({
      valid: true,
      problems: [{ severity: 'warning', path: 'Resources.T.Type' }],
    });
  });

  it('takes the platform from the template, or from whoever asks', async () => {
    const bare = lines('Resources:', '  V:', '    Type: ALIYUN::ECS::VPC');

    expect((await check(bare)).platform).toBe('ros');
    expect((await check(bare, 'cloudformation')).platform).toBe('cloudformation');
  });

  it.each([
    ['two documents', `${aws(awsVpc)}\n---\n${aws(awsVpc)}`, 'another YAML document begins here'],
    ['broken YAML', 'a: [1, 2\nb: 3', 'not valid YAML'],
    ['a list', '- a', 'not a map'],
    ['nothing', '', 'not a map'],
    ['a plain text', 'hello', 'not a map'],
    ['nesting without end', `a: ${'['.repeat(500)}${']'.repeat(500)}`, 'nested deeper'],
    ['an alias of an alias of itself', 'a: &x [*x]', 'nested deeper'],
    [
      'aliases that multiply',
      lines(
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...[...'bcdefghi'].map((name, index) => {
          const before = 'abcdefgh'[index];
          return `${name}: &${name} [*${before},*${before},*${before},*${before},*${before},*${before},*${before}]`;
        }),
      ),
      'more than',
    ],
  ])('says plainly that %s is no template', async (_what, text, message) => {
    const report = await check(text);

    expect(report.valid).toBe(false);
    expect(report.problems[0]?.message).toContain(message);
  });

  it('answers for any text, and for any value anywhere, without throwing', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      value.map((each) =>
        JSON.stringify({ Resources: { A: { Type: 'AWS::S3::Bucket', Properties: each } } }),
      ),
      value.map((each) => JSON.stringify({ Resources: { A: each }, Outputs: { O: { Value: each } } })),
      fc.tuple(value, value).map(([left, right]) => JSON.stringify({ Resources: left, Parameters: right })),
      value.map((each) =>
        JSON.stringify({ Resources: { A: { Type: 'ALIYUN::ECS::Instance', Properties: each } } }),
      ),
      value.map((each) => JSON.stringify({ Resources: { A: { 'Fn::Sub': each, Ref: each } }, Rules: each })),
    );

    await fc.assert(
      fc.asyncProperty(text, async (any) => {
        const { valid, problems } = await check(any);

        expect(valid).toBe(problems.every(({ severity }) => severity !== 'error'));
      }),
      { numRuns: 300 },
    );
  });
});
