/**
 * A request for infrastructure as a template: YAML text with Description, Parameters, Resources and Outputs, as an
 * engineer would write it for review. Pure: the same request gives the same text.
 */
import { assertNever } from '../../errors/assert-never.ts';
import { cloudFormationFragments } from './cloudformation/cloudformation-fragments.ts';
import { rosFragments } from './ros/ros-fragments.ts';
import type { TemplateRequest } from './template-request.ts';
import { describe, sectionsOf } from './template-value.ts';
import { toYaml } from './yaml-text.ts';

/**
 * The template of `request`. Numbers out of range are brought into it (1 to 6 subnets of each tier, at least 1
 * instance). Throws `RangeError` with a plain sentence when the VPC's block can't be used: not an IPv4 block, wider
 * than /16, or too small for its subnets.
 */
export function buildTemplate(request: TemplateRequest): string {
  switch (request.platform) {
    case 'cloudformation': {
      const fragments = cloudFormationFragments(request);
      return toYaml({
        AWSTemplateFormatVersion: '2010-09-09',
        Description: describe(fragments),
        ...sectionsOf(fragments),
      });
    }
    case 'ros': {
      const fragments = rosFragments(request);
      return toYaml({
        ROSTemplateFormatVersion: '2015-09-01',
        Description: describe(fragments),
        ...sectionsOf(fragments),
      });
    }
    default:
      return assertNever(request.platform);
  }
}
