/** Where in a pipeline an event happened: its step, candidate and candidate's step. */
import { type JsonObject, objectAt, stringAt } from '../../protocol/json.ts';

/** Name of the speaker at these coordinates; the same before and after a recovery. */
export function laneKeyOf(envelope: JsonObject): string {
  const coordinates = ['candidate', 'candidateStep', 'step'].flatMap((name) => {
    const place = objectAt(envelope, name);
    return stringAt(place, 'runId') ?? stringAt(place, 'id') ?? [];
  });
  return ['pipeline-message', stringAt(envelope, 'scope') ?? 'pipeline', ...new Set(coordinates)].join(':');
}
