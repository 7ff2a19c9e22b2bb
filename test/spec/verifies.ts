/**
 * How a scenario test says which entries of the manifest it proves. `coverage.test.ts` reads these calls from the
 * sources, so ids stand there as plain string literals.
 */
import { it } from 'vitest';
import { type Door, type RequirementId, requirements } from './requirements.ts';

/** Called inside a test that proves the entries on all their doors (or where doors make no difference). */
export function verifies(...ids: readonly RequirementId[]): void {
  for (const id of ids) assertKnown(id);
}

/** Called inside a test that proves the entries on one door. */
export function verifiesOn(door: Door, ...ids: readonly RequirementId[]): void {
  for (const id of ids) {
    assertKnown(id);
    const { doors } = requirements[id];
    if (!doors.includes(door)) throw new Error(`"${id}" is not asked for on the door ${door}`);
  }
}

/** Registers one test for each door that the entry names, with the door in its title. */
export function onDoors(id: RequirementId, title: string, prove: (door: Door) => Promise<void> | void): void {
  assertKnown(id);
  it.each(requirements[id].doors)(`${title} (door: %s)`, async (door) => {
    await prove(door);
  });
}

function assertKnown(id: string): void {
  if (!Object.hasOwn(requirements, id)) throw new Error(`"${id}" is not in the manifest of behaviours`);
}
