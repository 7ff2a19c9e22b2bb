import { deployCommand, platformNames, type Sentences } from './sentences.ts';

export const french: Sentences = {
  kinds: {
    vpc: 'un VPC avec ses sous-réseaux',
    bucket: 'un compartiment de stockage',
    queue: 'une file de messages',
    function: 'une fonction',
    database: 'une base de données',
    'web-server': 'un serveur web derrière un répartiteur de charge',
  },
  and: 'et',
  greeting: "Bonjour ! J'écris des modèles d'infrastructure, ici et hors ligne, sans modèle de langage.",
  offer: 'Je sais faire, pour AWS CloudFormation ou Alibaba Cloud ROS :',
  askAgain: 'Que souhaitez-vous ? Un numéro suffit, et vous pouvez en nommer plusieurs.',
  plan: (parts, platform) => `Je vais écrire un modèle pour ${platformNames[platform]} avec ${parts}.`,
  changing: (file) => `Je vais modifier ${file}.`,
  done: (file, resources) => `${file} est écrit : ${resources} ressources.`,
  checked: 'Il est conforme aux schémas de tous les types de ressources utilisés.',
  problems: (count) => `La vérification a trouvé ${count} problèmes :`,
  next: 'Vous pouvez le modifier (« avec 3 sous-réseaux », « ajoute un compartiment », « maintenant pour ROS »), le faire afficher ou le valider à nouveau.',
  showing: (file) => `Voici ${file} :`,
  files: (count) =>
    count === 0 ? "L'espace de travail ne contient encore aucun fichier." : "L'espace de travail contient :",
  mayDelete: (file) => `Supprimer ${file} de l'espace de travail ?`,
  deleted: (file) => `${file} est supprimé.`,
  kept: (file) => `${file} reste en place.`,
  noTemplateYet: "Il n'y a pas encore de modèle dans cette conversation.",
  cannotDeploy: (file, platform) =>
    `Je ne peux rien déployer : je n'ai ni compte ni identifiants.${file === undefined ? '' : ` Vous pouvez le faire avec :\n\n    ${deployCommand(file, platform)}`}`,
  howToConnect:
    'Cela dépasse ce que je sais faire sans modèle de langage. Placez un autre agent A2A derrière ce serveur avec AGUI_KERNEL_URL ou AGUI_KERNEL_COMMAND pour obtenir une réponse.',
  refused: (problem) => `Cela n'a pas fonctionné : ${problem}.`,
};
