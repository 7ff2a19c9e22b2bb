import { deployCommand, platformNames, type Sentences } from './sentences.ts';

export const german: Sentences = {
  kinds: {
    vpc: 'einer VPC mit Subnetzen',
    bucket: 'einem Speicher-Bucket',
    queue: 'einer Nachrichten-Warteschlange',
    function: 'einer Funktion',
    database: 'einer Datenbank',
    'web-server': 'einem Webserver hinter einem Load Balancer',
  },
  and: 'und',
  greeting: 'Hallo! Ich schreibe Infrastruktur-Vorlagen, hier und offline, ohne Sprachmodell.',
  offer: 'Ich kann Vorlagen für AWS CloudFormation oder Alibaba Cloud ROS schreiben, mit:',
  askAgain: 'Was davon soll es sein? Eine Nummer genügt, auch mehrere sind möglich.',
  plan: (parts, platform) => `Ich schreibe eine Vorlage für ${platformNames[platform]} mit ${parts}.`,
  changing: (file) => `Ich ändere ${file}.`,
  done: (file, resources) => `${file} ist geschrieben: ${resources} Ressourcen.`,
  checked: 'Sie entspricht den Schemas aller verwendeten Ressourcentypen.',
  problems: (count) => `Die Prüfung hat ${count} Probleme gefunden:`,
  next: 'Sie können sie ändern („mit 3 Subnetzen“, „füge einen Bucket hinzu“, „jetzt für ROS“), anzeigen oder noch einmal prüfen lassen.',
  showing: (file) => `Das ist ${file}:`,
  files: (count) =>
    count === 0 ? 'Der Arbeitsbereich enthält noch keine Dateien.' : 'Der Arbeitsbereich enthält:',
  mayDelete: (file) => `${file} aus dem Arbeitsbereich löschen?`,
  deleted: (file) => `${file} ist gelöscht.`,
  kept: (file) => `${file} bleibt, wo es ist.`,
  noTemplateYet: 'In diesem Gespräch gibt es noch keine Vorlage.',
  cannotDeploy: (file, platform) =>
    `Ich kann nichts bereitstellen: Ich habe weder Konto noch Zugangsdaten.${file === undefined ? '' : ` Sie können es so tun:\n\n    ${deployCommand(file, platform)}`}`,
  howToConnect:
    'Das geht über das hinaus, was ich ohne Sprachmodell kann. Stellen Sie mit AGUI_KERNEL_URL oder AGUI_KERNEL_COMMAND einen anderen A2A-Agenten hinter diesen Server, der es beantwortet.',
  refused: (problem) => `Das hat nicht geklappt: ${problem}.`,
};
