import { deployCommand, platformNames, type Sentences } from './sentences.ts';

export const spanish: Sentences = {
  kinds: {
    vpc: 'una VPC con sus subredes',
    bucket: 'un bucket de almacenamiento',
    queue: 'una cola de mensajes',
    function: 'una función',
    database: 'una base de datos',
    'web-server': 'un servidor web detrás de un balanceador de carga',
  },
  and: 'y',
  greeting: '¡Hola! Escribo plantillas de infraestructura, aquí y sin conexión, sin modelo de lenguaje.',
  offer: 'Puedo hacer, para AWS CloudFormation o Alibaba Cloud ROS:',
  askAgain: '¿Cuál quiere? Basta un número, y puede nombrar varias.',
  plan: (parts, platform) => `Voy a escribir una plantilla para ${platformNames[platform]} con ${parts}.`,
  changing: (file) => `Voy a cambiar ${file}.`,
  done: (file, resources) => `${file} está escrito: ${resources} recursos.`,
  checked: 'Cumple los esquemas de todos los tipos de recurso que usa.',
  problems: (count) => `La comprobación encontró ${count} problemas:`,
  next: 'Puede cambiarla («con 3 subredes», «añade un bucket», «ahora para ROS»), pedir que la muestre o validarla de nuevo.',
  showing: (file) => `Esto es ${file}:`,
  files: (count) =>
    count === 0 ? 'El espacio de trabajo aún no contiene archivos.' : 'El espacio de trabajo contiene:',
  mayDelete: (file) => `¿Eliminar ${file} del espacio de trabajo?`,
  deleted: (file) => `${file} se ha eliminado.`,
  kept: (file) => `${file} se queda donde está.`,
  noTemplateYet: 'Todavía no hay ninguna plantilla en esta conversación.',
  cannotDeploy: (file, platform) =>
    `No puedo desplegar nada: no tengo cuenta ni credenciales.${file === undefined ? '' : ` Puede hacerlo con:\n\n    ${deployCommand(file, platform)}`}`,
  howToConnect:
    'Eso supera lo que sé hacer sin un modelo de lenguaje. Ponga otro agente A2A detrás de este servidor con AGUI_KERNEL_URL o AGUI_KERNEL_COMMAND para obtener respuesta.',
  refused: (problem) => `No ha funcionado: ${problem}.`,
};
