/**
 * The machines behind the load balancer: an auto scaling group over a launch template. The newest Amazon Linux comes
 * from a public SSM parameter; administrators come in by Session Manager, so there is no key pair and no open SSH port.
 */
import { fitName } from '../resource-name.ts';
import type { TemplateSection, TemplateValue } from '../template-value.ts';
import { base64, getAtt, ref, sub } from './intrinsics.ts';

export interface WebFleet {
  readonly name: string | undefined;
  readonly instances: number;
  readonly subnets: TemplateValue;
  readonly memberOf: readonly string[];
  /** What must exist before the first machine starts. */
  readonly after: readonly string[];
}

export const webFleetParameters: TemplateSection = {
  WebServerInstanceType: {
    Type: 'String',
    Default: 't4g.micro',
    Description: 'Instance type of the web servers (arm64).',
  },
  WebServerImageId: {
    Type: 'AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>',
    Default: '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-arm64',
    Description: 'SSM parameter that names the machine image.',
  },
};

export function webFleet({ name, instances, subnets, memberOf, after }: WebFleet): TemplateSection {
  return {
    WebServerRole: role,
    WebServerInstanceProfile: {
      Type: 'AWS::IAM::InstanceProfile',
      Properties: { Roles: [ref('WebServerRole')] },
    },
    WebServerLaunchTemplate: launchTemplate(name, memberOf),
    WebServerGroup: {
      Type: 'AWS::AutoScaling::AutoScalingGroup',
      DependsOn: after,
      UpdatePolicy: {
        AutoScalingRollingUpdate: { MinInstancesInService: Math.ceil(instances / 2), PauseTime: 'PT2M' },
      },
      Properties: {
        MinSize: String(instances),
        DesiredCapacity: String(instances),
        MaxSize: String(2 * instances),
        VPCZoneIdentifier: subnets,
        LaunchTemplate: {
          LaunchTemplateId: ref('WebServerLaunchTemplate'),
          Version: getAtt('WebServerLaunchTemplate.LatestVersionNumber'),
        },
        TargetGroupARNs: [ref('TargetGroup')],
        HealthCheckType: 'ELB',
        HealthCheckGracePeriod: 120,
      },
    },
    WebServerScalingPolicy: {
      Type: 'AWS::AutoScaling::ScalingPolicy',
      Properties: {
        AutoScalingGroupName: ref('WebServerGroup'),
        PolicyType: 'TargetTrackingScaling',
        TargetTrackingConfiguration: {
          PredefinedMetricSpecification: { PredefinedMetricType: 'ASGAverageCPUUtilization' },
          TargetValue: 60,
        },
      },
    },
  };
}

const role: TemplateValue = {
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    ManagedPolicyArns: [sub('arn:${AWS::Partition}:iam::aws:policy/AmazonSSMManagedInstanceCore')],
  },
};

const startScript = [
  '#!/bin/bash',
  'set -euxo pipefail',
  'dnf install -y nginx',
  "echo '<h1>It works</h1>' > /usr/share/nginx/html/index.html",
  'systemctl enable --now nginx',
  '',
].join('\n');

function launchTemplate(name: string | undefined, memberOf: readonly string[]): TemplateValue {
  const label = fitName(name, { maxLength: 200 }) ?? sub('${AWS::StackName}-web-server');
  return {
    Type: 'AWS::EC2::LaunchTemplate',
    Properties: {
      LaunchTemplateData: {
        ImageId: ref('WebServerImageId'),
        InstanceType: ref('WebServerInstanceType'),
        IamInstanceProfile: { Arn: getAtt('WebServerInstanceProfile.Arn') },
        SecurityGroupIds: ['WebServerSecurityGroup', ...memberOf].map((id) => getAtt(`${id}.GroupId`)),
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
        BlockDeviceMappings: [
          { DeviceName: '/dev/xvda', Ebs: { VolumeType: 'gp3', VolumeSize: 8, Encrypted: true } },
        ],
        TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'Name', Value: label }] }],
        UserData: base64(startScript),
      },
    },
  };
}
