/**
 * The manifest of behaviours: what the two contracts promise, one entry each, as data. `source` is the section of the
 * contract, `sentence` the behaviour in its words (in English), `doors` where it must hold. Scenario tests name the
 * entries that they prove (`verifies.ts`); `coverage.test.ts` fails for one that nobody proves.
 */
import { agentCoreRequirements } from './requirements/agentcore.ts';
import { iacCodeRequirements } from './requirements/iac-code.ts';
import { iacCodeInterruptRequirements } from './requirements/iac-code-interrupts.ts';

export type { Door, Requirement } from './requirements/requirement.ts';

export const requirements = {
  ...agentCoreRequirements,
  ...iacCodeRequirements,
  ...iacCodeInterruptRequirements,
};

export type RequirementId = keyof typeof requirements;
export const requirementIds = Object.keys(requirements) as readonly RequirementId[];
