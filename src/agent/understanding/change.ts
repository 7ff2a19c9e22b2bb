/** How a message changes the template that was made last: other counts and names, another platform, more parts. */
import { isJsonObject, type JsonObject, listAt, stringAt } from '../../protocol/json.ts';
import { type Part, partKinds, platforms, type TemplateRequest } from '../templates/template-request.ts';
import type { Understood } from './understand.ts';

/** The changed request, or undefined when the message is about something new. */
export function changedRequest(last: TemplateRequest, said: Understood): TemplateRequest | undefined {
  const { intents, platform, parts } = said;
  const known = new Set(last.parts.map(({ kind }) => kind));
  if (intents.has('add') && parts.length > 0) {
    const added = parts.filter(({ kind }) => !known.has(kind));
    return { platform: platform ?? last.platform, parts: [...merged(last.parts, parts), ...added] };
  }
  // « Create a VPC » begins anew; « with 3 subnets », « now for ROS » go on with what there is.
  if (intents.has('create') && !intents.has('change') && parts.length > 0) return undefined;
  const isAboutLast =
    parts.length === 0
      ? platform !== undefined || said.name !== undefined
      : parts.every(({ kind }) => known.has(kind));
  if (!isAboutLast) return undefined;
  const renamed =
    said.name === undefined || parts.length > 0
      ? last.parts
      : last.parts.map((part) => ({ ...part, name: said.name }) as Part);
  return { platform: platform ?? last.platform, parts: merged(renamed, parts) };
}

/** What was said about a part wins over what was known of it. */
function merged(known: readonly Part[], said: readonly Part[]): readonly Part[] {
  return known.map((part) => ({ ...part, ...said.find(({ kind }) => kind === part.kind) }) as Part);
}

/** A request as it was remembered, or undefined when it is not one. */
export function readRequest(stored: JsonObject | undefined): TemplateRequest | undefined {
  const platform = platforms.find((each) => each === stringAt(stored, 'platform'));
  const parts = listAt(stored, 'parts')
    .filter(isJsonObject)
    .filter(({ kind }) => partKinds.some((each) => each === kind));
  if (platform === undefined || parts.length === 0) return undefined;
  // Written by this agent in exactly this form; a part that is out of range is brought into it by the template's builder.
  return { platform, parts: parts as unknown as readonly Part[] };
}
