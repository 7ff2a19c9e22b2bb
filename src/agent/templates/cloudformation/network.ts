/**
 * Where a part that needs a network lives: in the VPC of the same template, or in one that the stack's user names by
 * parameters.
 */
import type { Part, TemplateRequest } from '../template-request.ts';
import type { TemplateSection, TemplateValue } from '../template-value.ts';
import { ref } from './intrinsics.ts';

export type VpcPart = Extract<Part, { kind: 'vpc' }>;

export interface Network {
  readonly vpcId: TemplateValue;
  readonly publicSubnetIds: TemplateValue;
  readonly privateSubnetIds: TemplateValue;
  /** False when private subnets have no way to fetch packages from the internet. */
  readonly privateSubnetsReachInternet: boolean;
  /** Resources that must exist before something in a public, or a private, subnet can reach the internet. */
  readonly publicRoutes: readonly string[];
  readonly privateRoutes: readonly string[];
  /** What the template must ask its user for; a part takes those that it refers to. */
  readonly parameters: {
    readonly vpc: TemplateSection;
    readonly publicSubnets: TemplateSection;
    readonly privateSubnets: TemplateSection;
  };
}

/** The kinds that spread over two availability zones, so that the VPC must have two. */
const TWO_ZONE_KINDS: ReadonlySet<string> = new Set(['database', 'web-server']);

/** The fewest subnets of a kind that the other parts of the request can live with. */
export function fewestSubnets(request: TemplateRequest): number {
  return request.parts.some((part) => TWO_ZONE_KINDS.has(part.kind)) ? 2 : 1;
}

/** `PublicSubnet1` … `PublicSubnetN`. */
export function subnetIds(access: 'Public' | 'Private', count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${access}Subnet${index + 1}`);
}

export function ownNetwork(vpc: VpcPart, subnets: number): Network {
  return {
    vpcId: ref('Vpc'),
    publicSubnetIds: subnetIds('Public', subnets).map(ref),
    privateSubnetIds: subnetIds('Private', subnets).map(ref),
    privateSubnetsReachInternet: vpc.nat === true,
    publicRoutes: ['PublicDefaultRoute'],
    privateRoutes: vpc.nat === true ? ['PrivateDefaultRoute'] : [],
    parameters: { vpc: {}, publicSubnets: {}, privateSubnets: {} },
  };
}

export function givenNetwork(): Network {
  const subnetList = (description: string): TemplateValue => ({
    Type: 'List<AWS::EC2::Subnet::Id>',
    Description: description,
  });
  return {
    vpcId: ref('VpcId'),
    publicSubnetIds: ref('PublicSubnetIds'),
    privateSubnetIds: ref('PrivateSubnetIds'),
    privateSubnetsReachInternet: true,
    publicRoutes: [],
    privateRoutes: [],
    parameters: {
      vpc: { VpcId: { Type: 'AWS::EC2::VPC::Id', Description: 'VPC to deploy into.' } },
      publicSubnets: {
        PublicSubnetIds: subnetList('Public subnets of that VPC, in at least two availability zones.'),
      },
      privateSubnets: {
        PrivateSubnetIds: subnetList(
          'Private subnets of that VPC, in at least two availability zones, with a route to the internet where instances install packages.',
        ),
      },
    },
  };
}
