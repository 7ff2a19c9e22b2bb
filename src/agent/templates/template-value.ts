/**
 * What a template is made of before it is text: plain values, and intrinsic functions that YAML writes as tags
 * (`!Ref Vpc`). Platforms that spell their functions as ordinary members (`Ref: Vpc`) use plain values only.
 */

export type TemplateValue =
  | string
  | number
  | boolean
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue }
  | Intrinsic;

/** A function call such as `!Sub "${AWS::StackName}-vpc"`; `tag` comes without its exclamation mark. */
export class Intrinsic {
  readonly tag: string;
  readonly argument: TemplateValue;

  constructor(tag: string, argument: TemplateValue) {
    this.tag = tag;
    this.argument = argument;
  }
}

export type TemplateSection = Readonly<Record<string, TemplateValue>>;

/** The share of one part in a template. Keys are logical ids, unique over all parts of a request. */
export interface Fragment {
  /** One clause for the template's description, such as `an encrypted S3 bucket`. */
  readonly summary: string;
  readonly parameters?: TemplateSection;
  readonly conditions?: TemplateSection;
  readonly resources: TemplateSection;
  readonly outputs: TemplateSection;
}

/**
 * All fragments as the sections of one template, in their order; empty sections are left out. Where two fragments
 * declare the same parameter (both need the VPC's id), it stands once.
 */
export function sectionsOf(fragments: readonly Fragment[]): TemplateSection {
  const all = (pick: (fragment: Fragment) => TemplateSection | undefined): TemplateSection =>
    Object.assign({}, ...fragments.map(pick));
  const sections = {
    Parameters: all((fragment) => fragment.parameters),
    Conditions: all((fragment) => fragment.conditions),
    Resources: all((fragment) => fragment.resources),
    Outputs: all((fragment) => fragment.outputs),
  };
  return Object.fromEntries(
    Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0),
  );
}

/** `A VPC with two subnets; a queue.` */
export function describe(fragments: readonly Fragment[]): string {
  const sentence = fragments.map((fragment) => fragment.summary).join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
