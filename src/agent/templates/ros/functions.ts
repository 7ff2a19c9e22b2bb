/** ROS spells its functions as ordinary members. */
import type { TemplateValue } from '../template-value.ts';

export const ref = (id: string): TemplateValue => ({ Ref: id });
export const getAtt = (id: string, attribute: string): TemplateValue => ({ 'Fn::GetAtt': [id, attribute] });
export const select = (index: number, list: TemplateValue): TemplateValue => ({
  'Fn::Select': [String(index), list],
});
export const sub = (text: string): TemplateValue => ({ 'Fn::Sub': text });
export const join = (separator: string, parts: readonly TemplateValue[]): TemplateValue => ({
  'Fn::Join': [separator, parts],
});

/** The zones of the region, as `ALIYUN::Region` knows them. */
export const zones: TemplateValue = { 'Fn::GetAZs': { Ref: 'ALIYUN::Region' } };

/** A name of the user's, or one from the stack. */
export function nameOr(name: string | undefined, kind: string): TemplateValue {
  return name ?? sub(`\${ALIYUN::StackName}-${kind}`);
}
