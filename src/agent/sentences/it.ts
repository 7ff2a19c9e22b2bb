import { deployCommand, platformNames, type Sentences } from './sentences.ts';

export const italian: Sentences = {
  kinds: {
    vpc: 'una VPC con le sue sottoreti',
    bucket: 'un bucket di archiviazione',
    queue: 'una coda di messaggi',
    function: 'una funzione',
    database: 'un database',
    'web-server': 'un server web dietro un bilanciatore di carico',
  },
  and: 'e',
  greeting: 'Ciao! Scrivo modelli di infrastruttura, qui e offline, senza modello linguistico.',
  offer: 'Posso creare, per AWS CloudFormation o Alibaba Cloud ROS:',
  askAgain: 'Quale desideri? Basta un numero, e puoi indicarne più di uno.',
  plan: (parts, platform) => `Scrivo un modello per ${platformNames[platform]} con ${parts}.`,
  changing: (file) => `Modifico ${file}.`,
  done: (file, resources) => `${file} è scritto: ${resources} risorse.`,
  checked: 'È conforme agli schemi di tutti i tipi di risorsa usati.',
  problems: (count) => `La verifica ha trovato ${count} problemi:`,
  next: 'Puoi cambiarlo («con 3 sottoreti», «aggiungi un bucket», «ora per ROS»), farlo mostrare o verificarlo di nuovo.',
  showing: (file) => `Ecco ${file}:`,
  files: (count) =>
    count === 0 ? 'Lo spazio di lavoro non contiene ancora file.' : 'Lo spazio di lavoro contiene:',
  mayDelete: (file) => `Eliminare ${file} dallo spazio di lavoro?`,
  deleted: (file) => `${file} è eliminato.`,
  kept: (file) => `${file} resta al suo posto.`,
  noTemplateYet: 'In questa conversazione non c’è ancora un modello.',
  cannotDeploy: (file, platform) =>
    `Non posso distribuire nulla: non ho un account né credenziali.${file === undefined ? '' : ` Puoi farlo con:\n\n    ${deployCommand(file, platform)}`}`,
  howToConnect:
    'Questo va oltre ciò che so fare senza un modello linguistico. Metti un altro agente A2A dietro questo server con AGUI_KERNEL_URL o AGUI_KERNEL_COMMAND per avere una risposta.',
  refused: (problem) => `Non ha funzionato: ${problem}.`,
};
