/** How a message changes the template that was made last: other counts and names, another platform, more or fewer parts. */
import { isJsonObject, type JsonObject, listAt, stringAt } from '../../protocol/json.ts';
import { type Part, partKinds, platforms, type TemplateRequest } from '../templates/template-request.ts';
import { partOf } from './details.ts';
import type { Understood } from './understand.ts';

/** The changed request, or undefined when the message is about something new. */
export function changedRequest(last: TemplateRequest, said: Understood): TemplateRequest | undefined {
  const { intents, platform, parts } = said;
  const without = reducedRequest(last, said);
  if (without !== undefined) return without;
  const known = new Set(last.parts.map(({ kind }) => kind));
  const detailed = withDetails(last.parts, said);
  if (intents.has('add') && parts.length > 0) {
    const added = parts.filter(({ kind }) => !known.has(kind));
    return {
      platform: platform ?? last.platform,
      parts: [...merged(detailed ?? last.parts, parts), ...added],
    };
  }
  // « Create a VPC » begins anew; « with 3 subnets », « now for ROS » go on with what there is.
  if ((intents.has('create') || intents.has('template')) && !intents.has('change') && parts.length > 0)
    return undefined;
  const isAboutLast =
    parts.length === 0
      ? platform !== undefined || detailed !== undefined
      : parts.every(({ kind }) => known.has(kind));
  if (!isAboutLast) return undefined;
  return { platform: platform ?? last.platform, parts: merged(detailed ?? last.parts, parts) };
}

/** « Remove the bucket », « drop the NAT gateway »; undefined when nothing of the template was meant, or all of it. */
export function reducedRequest(last: TemplateRequest, said: Understood): TemplateRequest | undefined {
  const { intents, parts, details, file } = said;
  if (!intents.has('delete') || file !== undefined) return undefined;
  if (details.nat !== undefined && last.parts.some(({ kind }) => kind === 'vpc'))
    return {
      ...last,
      parts: last.parts.map((part) => (part.kind === 'vpc' ? { ...part, nat: false } : part)),
    };
  const kept = last.parts.filter(({ kind }) => !parts.some((each) => each.kind === kind));
  return kept.length > 0 && kept.length < last.parts.length ? { ...last, parts: kept } : undefined;
}

/** The parts with what was said without naming one of them; undefined when that concerns none. A name is for all. */
function withDetails(known: readonly Part[], { parts, details }: Understood): readonly Part[] | undefined {
  const { name, ...others } = details;
  const applied = parts.length === 0 && name !== undefined ? details : others;
  const said = known.map(({ kind }) => partOf(kind, applied));
  return said.some((part) => Object.keys(part).length > 1) ? merged(known, said) : undefined;
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
