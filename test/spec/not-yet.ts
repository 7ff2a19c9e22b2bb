/**
 * Entries of the manifest that no scenario proves yet, each with its reason. Goes empty: an entry is taken out by the
 * change that brings its test, and one that is proven must not stay. `doors` names the doors that lack proof, where it
 * is not all of them.
 */
import type { Door, RequirementId } from './requirements.ts';

interface Unproven {
  readonly reason: string;
  readonly doors?: readonly Door[];
}

const elsewhere: Unproven = {
  reason: 'proven by `npm run image:prove`, which needs more than a test may ask for',
};

export const notYet: ReadonlyMap<RequirementId, Unproven> = new Map<RequirementId, Unproven>([
  ['container.arm64', elsewhere],
]);
