import { deployCommand, platformNames, type Sentences } from './sentences.ts';

export const chinese: Sentences = {
  kinds: {
    vpc: '带子网的 VPC',
    bucket: '存储桶',
    queue: '消息队列',
    function: '函数',
    database: '数据库',
    'web-server': '负载均衡后的 Web 服务器',
  },
  and: '和',
  greeting: '你好！我在本地离线编写基础设施模板，不需要语言模型。',
  offer: '我可以为 AWS CloudFormation 或阿里云 ROS 创建：',
  askAgain: '你想要哪一个？回复编号即可，也可以同时要几个。',
  plan: (parts, platform) => `我将为 ${platformNames[platform]} 编写一个模板，包含${parts}。`,
  changing: (file) => `我将修改 ${file}。`,
  done: (file, resources) => `${file} 已写好：共 ${resources} 个资源。`,
  checked: '它符合其中所有资源类型的模式。',
  problems: (count) => `检查发现 ${count} 个问题：`,
  next: '你可以修改它（“改成三个子网”、“加上存储桶”、“换成 ROS”），让我显示它，或者再次验证。',
  showing: (file) => `这是 ${file}：`,
  files: (count) => (count === 0 ? '工作区里还没有文件。' : '工作区里有：'),
  mayDelete: (file) => `要从工作区删除 ${file} 吗？`,
  deleted: (file) => `${file} 已删除。`,
  kept: (file) => `${file} 保留不动。`,
  noTemplateYet: '这个对话里还没有模板。',
  cannotDeploy: (file, platform) =>
    `我不能部署任何东西：我没有账号，也没有凭证。${file === undefined ? '' : `你可以这样部署：\n\n    ${deployCommand(file, platform)}`}`,
  howToConnect:
    '没有语言模型，这超出了我的能力。用 AGUI_KERNEL_URL 或 AGUI_KERNEL_COMMAND 在这个服务器后面接入另一个 A2A 智能体，就可以得到回答。',
  refused: (problem) => `没有成功：${problem}。`,
};
