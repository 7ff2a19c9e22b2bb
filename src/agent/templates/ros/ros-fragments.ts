/** The parts of a request as fragments of one ROS template. */
import { assertNever } from '../../../errors/assert-never.ts';
import { subnetCount } from '../address-plan.ts';
import type { Part, TemplateRequest } from '../template-request.ts';
import type { Fragment } from '../template-value.ts';
import { rosDatabaseFragment, rosFunctionFragment } from './compute.ts';
import { givenRosNetwork, ownRosNetwork } from './network.ts';
import { rosBucketFragment, rosQueueFragment } from './storage.ts';
import { rosVpcFragment } from './vpc.ts';
import { rosWebServerFragment } from './web-server.ts';

/** One fragment for each part, in the order asked for. Throws `RangeError` for a VPC block that can't be cut up. */
export function rosFragments(request: TemplateRequest): Fragment[] {
  const network = request.parts.some(({ kind }) => kind === 'vpc') ? ownRosNetwork() : givenRosNetwork();
  return request.parts.map((part: Part): Fragment => {
    switch (part.kind) {
      case 'vpc':
        return rosVpcFragment(part, subnetCount(part.subnets, 1));
      case 'bucket':
        return rosBucketFragment(part);
      case 'queue':
        return rosQueueFragment(part);
      case 'function':
        return rosFunctionFragment(part);
      case 'database':
        return rosDatabaseFragment(part, network);
      case 'web-server':
        return rosWebServerFragment(part, network);
      default:
        return assertNever(part);
    }
  });
}
