import { deployCommand, platformNames, type Sentences } from './sentences.ts';

export const portuguese: Sentences = {
  kinds: {
    vpc: 'uma VPC com sub-redes',
    bucket: 'um bucket de armazenamento',
    queue: 'uma fila de mensagens',
    function: 'uma função',
    database: 'um banco de dados',
    'web-server': 'um servidor web atrás de um balanceador de carga',
  },
  and: 'e',
  greeting: 'Olá! Escrevo modelos de infraestrutura, aqui e offline, sem modelo de linguagem.',
  offer: 'Posso fazer, para AWS CloudFormation ou Alibaba Cloud ROS:',
  askAgain: 'Qual você quer? Basta um número, e pode citar vários.',
  plan: (parts, platform) => `Vou escrever um modelo para ${platformNames[platform]} com ${parts}.`,
  changing: (file) => `Vou alterar ${file}.`,
  done: (file, resources) => `${file} está escrito: ${resources} recursos.`,
  checked: 'Está de acordo com os esquemas de todos os tipos de recurso usados.',
  problems: (count) => `A verificação encontrou ${count} problemas:`,
  next: 'Você pode alterá-lo («com 3 sub-redes», «adicione um bucket», «agora para ROS»), pedir para mostrá-lo ou validá-lo de novo.',
  showing: (file) => `Este é ${file}:`,
  files: (count) =>
    count === 0 ? 'O espaço de trabalho ainda não tem arquivos.' : 'O espaço de trabalho contém:',
  mayDelete: (file) => `Excluir ${file} do espaço de trabalho?`,
  deleted: (file) => `${file} foi excluído.`,
  kept: (file) => `${file} fica onde está.`,
  noTemplateYet: 'Ainda não há modelo nesta conversa.',
  cannotDeploy: (file, platform) =>
    `Não posso implantar nada: não tenho conta nem credenciais.${file === undefined ? '' : ` Você pode fazer isso com:\n\n    ${deployCommand(file, platform)}`}`,
  howToConnect:
    'Isso vai além do que sei fazer sem um modelo de linguagem. Coloque outro agente A2A atrás deste servidor com AGUI_KERNEL_URL ou AGUI_KERNEL_COMMAND para ter a resposta.',
  refused: (problem) => `Não funcionou: ${problem}.`,
};
