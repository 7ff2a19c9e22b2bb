/** The intrinsic functions of CloudFormation that our templates use, in their YAML short form. */
import { fitName } from '../resource-name.ts';
import { Intrinsic, type TemplateValue } from '../template-value.ts';

/** A parameter, a resource or a pseudo parameter by its name. */
export const ref = (name: string): Intrinsic => new Intrinsic('Ref', name);

/** `Vpc.CidrBlock`: an attribute of a resource. */
export const getAtt = (attribute: string): Intrinsic => new Intrinsic('GetAtt', attribute);

/** Text with `${Name}` and `${Name.Attribute}` filled in. */
export const sub = (text: string): Intrinsic => new Intrinsic('Sub', text);

/** The item at `index` of a list, counted from 0. */
export const select = (index: number, list: TemplateValue): Intrinsic =>
  new Intrinsic('Select', [index, list]);

/** The names of the availability zones of the stack's region. */
export const zones = (): Intrinsic => new Intrinsic('GetAZs', '');

/** `count` blocks with `hostBits` bits for hosts each, cut from `block`. */
export const cidr = (block: TemplateValue, count: number, hostBits: number): Intrinsic =>
  new Intrinsic('Cidr', [block, count, hostBits]);

export const equals = (left: TemplateValue, right: TemplateValue): Intrinsic =>
  new Intrinsic('Equals', [left, right]);

export const not = (condition: TemplateValue): Intrinsic => new Intrinsic('Not', [condition]);

export const when = (condition: string, then: TemplateValue, otherwise: TemplateValue): Intrinsic =>
  new Intrinsic('If', [condition, then, otherwise]);

export const base64 = (text: TemplateValue): Intrinsic => new Intrinsic('Base64', text);

/** The tag that consoles show as a resource's name; by default the stack's name and `suffix`. */
export function nameTag(name: string | undefined, suffix: string): TemplateValue {
  const fitting = fitName(name, { maxLength: 200 });
  const value = fitting === undefined ? sub(`\${AWS::StackName}-${suffix}`) : `${fitting}-${suffix}`;
  return { Key: 'Name', Value: value };
}
