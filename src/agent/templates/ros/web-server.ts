/** Web servers behind a load balancer on Alibaba Cloud. */
import { within } from '../address-plan.ts';
import { fitName } from '../resource-name.ts';
import type { Part } from '../template-request.ts';
import type { Fragment, TemplateSection } from '../template-value.ts';
import { getAtt, nameOr, ref } from './functions.ts';
import type { RosNetwork } from './network.ts';

export function rosWebServerFragment(
  part: Extract<Part, { kind: 'web-server' }>,
  network: RosNetwork,
): Fragment {
  const instances = within(part.instances, { usual: 2, least: 1, most: 20 });
  const name = fitName(part.name, { maxLength: 60, letterFirst: true });
  return {
    summary: `${instances} web server${instances === 1 ? '' : 's'} behind a load balancer`,
    parameters: {
      ...network.parameters,
      ServerType: { Type: 'String', Default: 'ecs.g7.large', Description: 'Type of the servers.' },
      ServerImage: {
        Type: 'String',
        Default: 'aliyun_3_x64_20G',
        Description: 'Image of the servers; a prefix takes the newest.',
      },
    },
    resources: { ...servers(name, instances, network), ...loadBalancer(name, network) },
    outputs: {
      WebAddress: {
        Description: 'Address of the load balancer.',
        Value: getAtt('LoadBalancer', 'IpAddress'),
      },
    },
  };
}

function servers(name: string | undefined, instances: number, network: RosNetwork): TemplateSection {
  // The load balancer reaches its servers from this block.
  const fromBalancer = {
    IpProtocol: 'tcp',
    PortRange: '80/80',
    SourceCidrIp: '100.64.0.0/10',
    Policy: 'accept',
    Priority: 1,
  };
  return {
    ServerGroup: {
      Type: 'ALIYUN::ECS::SecurityGroup',
      Properties: {
        VpcId: network.vpc,
        SecurityGroupName: nameOr(name === undefined ? undefined : `${name}-servers`, 'servers'),
        SecurityGroupIngress: [fromBalancer],
      },
    },
    Servers: {
      Type: 'ALIYUN::ECS::InstanceGroup',
      Properties: {
        InstanceName: nameOr(name, 'web'),
        InstanceType: ref('ServerType'),
        ImageId: ref('ServerImage'),
        MaxAmount: instances,
        VpcId: network.vpc,
        VSwitchId: network.vSwitch,
        SecurityGroupId: ref('ServerGroup'),
        SystemDiskCategory: 'cloud_essd',
        AllocatePublicIP: false,
        UserData: '#!/bin/sh\nyum install -y nginx\nsystemctl enable --now nginx\n',
      },
    },
  };
}

function loadBalancer(name: string | undefined, network: RosNetwork): TemplateSection {
  return {
    LoadBalancer: {
      Type: 'ALIYUN::SLB::LoadBalancer',
      Properties: {
        LoadBalancerName: nameOr(name === undefined ? undefined : `${name}-lb`, 'lb'),
        AddressType: 'internet',
        InstanceChargeType: 'PayByCLCU',
        VpcId: network.vpc,
        VSwitchId: network.vSwitch,
      },
    },
    Backends: {
      Type: 'ALIYUN::SLB::BackendServerAttachment',
      Properties: {
        LoadBalancerId: ref('LoadBalancer'),
        BackendServerList: getAtt('Servers', 'InstanceIds'),
      },
    },
    Listener: {
      Type: 'ALIYUN::SLB::Listener',
      DependsOn: 'Backends',
      Properties: {
        LoadBalancerId: ref('LoadBalancer'),
        Protocol: 'http',
        ListenerPort: 80,
        BackendServerPort: 80,
        Bandwidth: -1,
        HealthCheck: {
          Switch: 'on',
          HttpCode: 'http_2xx,http_3xx',
          URI: '/',
          Port: 80,
          Interval: 5,
          Timeout: 5,
          HealthyThreshold: 3,
          UnhealthyThreshold: 3,
        },
      },
    },
  };
}
