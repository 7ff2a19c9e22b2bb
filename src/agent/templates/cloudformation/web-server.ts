/**
 * Web servers behind a load balancer: a target group and listeners, the security groups that let traffic flow only that
 * way, and the parameters. The machines themselves are in `web-fleet`.
 *
 * HTTP by default; with a certificate's ARN as parameter it serves HTTPS and redirects HTTP.
 */
import { within } from '../address-plan.ts';
import { fitName, named } from '../resource-name.ts';
import type { Part } from '../template-request.ts';
import type { Fragment, TemplateSection, TemplateValue } from '../template-value.ts';
import { equals, getAtt, nameTag, not, ref, sub, when } from './intrinsics.ts';
import type { Network } from './network.ts';
import { webFleet, webFleetParameters } from './web-fleet.ts';

export interface WebServerSurroundings {
  readonly network: Network;
  /** Further security groups of the machines, by logical id. */
  readonly memberOf: readonly string[];
}

export function webServerFragment(
  part: Extract<Part, { kind: 'web-server' }>,
  { network, memberOf }: WebServerSurroundings,
): Fragment {
  const instances = within(part.instances, { usual: 2, least: 1, most: 100 });
  const inPrivate = network.privateSubnetsReachInternet;
  const subnets = inPrivate ? network.privateSubnetIds : network.publicSubnetIds;
  const after = ['HttpListener', ...(inPrivate ? network.privateRoutes : network.publicRoutes)];
  return {
    summary: `${instances} web server${instances === 1 ? '' : 's'} behind an application load balancer`,
    parameters: {
      ...network.parameters.vpc,
      ...network.parameters.publicSubnets,
      ...(inPrivate ? network.parameters.privateSubnets : {}),
      CertificateArn: {
        Type: 'String',
        Default: '',
        Description: 'ARN of an ACM certificate for HTTPS; empty serves HTTP only.',
      },
      ...webFleetParameters,
    },
    conditions: { HasCertificate: not(equals(ref('CertificateArn'), '')) },
    resources: {
      ...securityGroups(part.name, network),
      ...loadBalancer(part.name, network),
      ...webFleet({ name: part.name, instances, subnets, memberOf, after }),
    },
    outputs: {
      WebsiteUrl: {
        Description: 'Address of the website.',
        Value: when('HasCertificate', urlOf('https'), urlOf('http')),
      },
      LoadBalancerArn: { Description: 'ARN of the load balancer.', Value: ref('LoadBalancer') },
    },
  };
}

const urlOf = (scheme: string): TemplateValue => sub(`${scheme}://\${LoadBalancer.DNSName}`);

function securityGroups(name: string | undefined, network: Network): TemplateSection {
  const open = (port: number): TemplateValue => ({
    Description: `From anywhere to port ${port}`,
    IpProtocol: 'tcp',
    FromPort: port,
    ToPort: port,
    CidrIp: '0.0.0.0/0',
  });
  return {
    LoadBalancerSecurityGroup: {
      Type: 'AWS::EC2::SecurityGroup',
      Properties: {
        GroupDescription: 'Lets web traffic reach the load balancer',
        VpcId: network.vpcId,
        SecurityGroupIngress: [open(80), open(443)],
        Tags: [nameTag(name, 'load-balancer')],
      },
    },
    WebServerSecurityGroup: {
      Type: 'AWS::EC2::SecurityGroup',
      Properties: {
        GroupDescription: 'Lets the load balancer reach the web servers',
        VpcId: network.vpcId,
        SecurityGroupIngress: [
          {
            Description: 'From the load balancer',
            IpProtocol: 'tcp',
            FromPort: 80,
            ToPort: 80,
            SourceSecurityGroupId: getAtt('LoadBalancerSecurityGroup.GroupId'),
          },
        ],
        Tags: [nameTag(name, 'web-server')],
      },
    },
  };
}

function loadBalancer(name: string | undefined, network: Network): TemplateSection {
  const forward: TemplateValue = { Type: 'forward', TargetGroupArn: ref('TargetGroup') };
  const redirect: TemplateValue = {
    Type: 'redirect',
    RedirectConfig: { Protocol: 'HTTPS', Port: '443', StatusCode: 'HTTP_301' },
  };
  return {
    LoadBalancer: {
      Type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
      ...(network.publicRoutes.length > 0 ? { DependsOn: network.publicRoutes } : {}),
      Properties: {
        ...named('Name', loadBalancerName(name)),
        Type: 'application',
        Scheme: 'internet-facing',
        Subnets: network.publicSubnetIds,
        SecurityGroups: [getAtt('LoadBalancerSecurityGroup.GroupId')],
        LoadBalancerAttributes: [{ Key: 'routing.http.drop_invalid_header_fields.enabled', Value: 'true' }],
      },
    },
    TargetGroup: {
      Type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
      Properties: {
        VpcId: network.vpcId,
        Protocol: 'HTTP',
        Port: 80,
        HealthCheckPath: '/',
        Matcher: { HttpCode: '200' },
        TargetGroupAttributes: [{ Key: 'deregistration_delay.timeout_seconds', Value: '30' }],
      },
    },
    HttpListener: {
      Type: 'AWS::ElasticLoadBalancingV2::Listener',
      Properties: {
        LoadBalancerArn: ref('LoadBalancer'),
        Protocol: 'HTTP',
        Port: 80,
        DefaultActions: [when('HasCertificate', redirect, forward)],
      },
    },
    HttpsListener: {
      Type: 'AWS::ElasticLoadBalancingV2::Listener',
      Condition: 'HasCertificate',
      Properties: {
        LoadBalancerArn: ref('LoadBalancer'),
        Protocol: 'HTTPS',
        Port: 443,
        SslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
        Certificates: [{ CertificateArn: ref('CertificateArn') }],
        DefaultActions: [forward],
      },
    },
  };
}

/** A load balancer's name may not begin with `internal-`. */
function loadBalancerName(name: string | undefined): string | undefined {
  return fitName(name?.replace(/^internal-/i, ''), { maxLength: 32 });
}
