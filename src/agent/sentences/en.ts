import { deployCommand, platformNames, type Sentences } from './sentences.ts';

export const english: Sentences = {
  kinds: {
    vpc: 'a VPC with subnets',
    bucket: 'a storage bucket',
    queue: 'a message queue',
    function: 'a function',
    database: 'a database',
    'web-server': 'a web server behind a load balancer',
  },
  and: 'and',
  greeting: 'Hello! I write infrastructure templates, here and offline, without a language model.',
  offer: 'I can make, for AWS CloudFormation or Alibaba Cloud ROS:',
  askAgain: 'Which of these would you like? A number is enough, and you can name several.',
  plan: (parts, platform) => `I will write a template for ${platformNames[platform]} with ${parts}.`,
  changing: (file) => `I will change ${file}.`,
  done: (file, resources) => `${file} is written: ${resources} resources.`,
  checked: 'It matches the schemas of every resource type in it.',
  problems: (count) => `The check found ${count} problems:`,
  next: 'You can change it ("make it 3 subnets", "add a bucket", "now for ROS"), have it shown, or validate it again.',
  showing: (file) => `This is ${file}:`,
  files: (count) => (count === 0 ? 'The workspace holds no files yet.' : 'The workspace holds:'),
  mayDelete: (file) => `Delete ${file} from the workspace?`,
  deleted: (file) => `${file} is deleted.`,
  kept: (file) => `${file} stays where it is.`,
  noTemplateYet: 'There is no template in this conversation yet.',
  cannotDeploy: (file, platform) =>
    `I can't deploy anything: I have no account and no credentials.${file === undefined ? '' : ` You can do it with:\n\n    ${deployCommand(file, platform)}`}`,
  howToConnect:
    'That is beyond what I can do without a language model. Put another A2A agent behind this server with AGUI_KERNEL_URL or AGUI_KERNEL_COMMAND to have it answered.',
  refused: (problem) => `That did not work: ${problem}.`,
};
