/** What the offline author says, one value for each language. */
import type { PartKind, Platform } from '../templates/template-request.ts';

export interface Sentences {
  readonly kinds: Readonly<Record<PartKind, string>>;
  /** Joins the last of several. */
  readonly and: string;
  readonly greeting: string;
  /** Introduces the list of what can be made. */
  readonly offer: string;
  readonly askAgain: string;
  readonly plan: (parts: string, platform: Platform) => string;
  readonly changing: (file: string) => string;
  readonly done: (file: string, resources: number) => string;
  readonly checked: string;
  readonly problems: (count: number) => string;
  readonly next: string;
  readonly showing: (file: string) => string;
  readonly files: (count: number) => string;
  /** The question before a file is deleted. */
  readonly mayDelete: (file: string) => string;
  readonly deleted: (file: string) => string;
  readonly kept: (file: string) => string;
  readonly noTemplateYet: string;
  readonly cannotDeploy: (file: string | undefined, platform: Platform) => string;
  readonly howToConnect: string;
  readonly refused: (problem: string) => string;
}

export const platformNames: Readonly<Record<Platform, string>> = {
  cloudformation: 'AWS CloudFormation',
  ros: 'Alibaba Cloud ROS',
};

/** The command that would deploy a file; the same in every language. */
export function deployCommand(file: string, platform: Platform): string {
  const stack = file.replace(/\.ya?ml$/, '');
  return platform === 'ros'
    ? `aliyun ros CreateStack --StackName ${stack} --TemplateBody "$(cat ${file})"`
    : `aws cloudformation deploy --template-file ${file} --stack-name ${stack} --capabilities CAPABILITY_IAM`;
}
