/** The parts of a request as fragments of one CloudFormation template, each told what it needs of the others. */
import { assertNever } from '../../../errors/assert-never.ts';
import { subnetCount } from '../address-plan.ts';
import type { Part, TemplateRequest } from '../template-request.ts';
import type { Fragment } from '../template-value.ts';
import { bucketFragment } from './bucket.ts';
import { databaseClientGroup, databaseFragment } from './database.ts';
import { functionFragment } from './function.ts';
import { fewestSubnets, givenNetwork, ownNetwork } from './network.ts';
import { queueFragment } from './queue.ts';
import { vpcFragment } from './vpc.ts';
import { webServerFragment } from './web-server.ts';

/** One fragment for each part, in the order asked for. Throws `RangeError` for a VPC block that can't be cut up. */
export function cloudFormationFragments(request: TemplateRequest): Fragment[] {
  const vpc = request.parts.find((part) => part.kind === 'vpc');
  const subnets = subnetCount(vpc?.subnets, fewestSubnets(request));
  const network = vpc === undefined ? givenNetwork() : ownNetwork(vpc, subnets);
  const memberOf = request.parts.some((part) => part.kind === 'database') ? [databaseClientGroup] : [];
  return request.parts.map((part: Part): Fragment => {
    switch (part.kind) {
      case 'vpc':
        return vpcFragment(part, subnets);
      case 'bucket':
        return bucketFragment(part);
      case 'queue':
        return queueFragment(part);
      case 'function':
        return functionFragment(part);
      case 'database':
        return databaseFragment(part, network);
      case 'web-server':
        return webServerFragment(part, { network, memberOf });
      default:
        return assertNever(part);
    }
  });
}
