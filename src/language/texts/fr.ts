/**
 * French, with the no-break spaces that its typography asks for around « », : and ;.
 * Placeholders and brackets: see `../sentence.ts`.
 */
import type { FaultName } from '../../errors/catalog.ts';

export const fr: Readonly<Record<FaultName, string>> = {
  'credentials-missing':
    'Les informations d’identification manquent. Envoyez un jeton Bearer dans l’en-tête Authorization.',
  'credentials-invalid':
    'Les informations d’identification ne sont pas valides ou ont expiré. Envoyez un jeton Bearer valide.',
  'access-denied':
    'Ces informations d’identification n’autorisent pas cette opération. Utilisez-en d’autres ou demandez l’accès à l’administrateur.',
  'thread-of-another-caller':
    'Ce thread n’est pas accessible à ce demandeur. Utilisez l’identité et le userId de sa première requête, ou un autre threadId.',
  'thread-in-another-workspace':
    'Ce thread est lié à un autre espace de travail. Envoyez le cwd de sa première requête ou commencez un nouveau thread.',

  'media-type-unsupported':
    'Le type de contenu du corps de la requête n’est pas pris en charge[ : « {given} »]. Envoyez application/json.',
  'accept-unsupported':
    'La réponse n’est disponible qu’au format text/event-stream. Acceptez ce type dans l’en-tête Accept.',
  'body-too-large': 'Le corps de la requête est trop volumineux. Réduisez-le[ à {limit} octets au maximum].',
  'body-stalled': 'Le corps de la requête a cessé d’arriver. Renvoyez la requête.',
  'head-too-large': 'Les en-têtes de la requête sont trop volumineux. Envoyez-en moins ou de plus courts.',
  'head-malformed': 'Ceci n’est pas une requête HTTP lisible. Vérifiez le client.',
  'body-empty': 'Le corps de la requête est vide. Envoyez un objet JSON.',
  'body-not-utf8': 'Le corps de la requête n’est pas du texte UTF-8. Encodez le JSON en UTF-8.',
  'body-not-json': 'Le corps de la requête n’est pas du JSON valide. Corrigez-le et renvoyez-le.',
  'body-too-deep':
    'Le JSON de la requête comporte trop de niveaux d’imbrication. Réduisez leur nombre[ à {limit} au maximum].',
  'body-forbidden-key':
    'Le corps de la requête contient un nom de membre interdit[ : « {key} »]. Supprimez ce membre.',
  'body-not-an-object': 'Le corps de la requête doit être un objet JSON. Envoyez un objet.',
  'path-unknown': 'Il n’y a rien à cette adresse. Vérifiez le chemin.',
  'upgrade-required': 'Cette adresse ne parle que WebSocket. Demandez le passage (Upgrade) à ce protocole.',
  'method-not-allowed':
    'Cette adresse n’accepte pas cette méthode. Utilisez une méthode autorisée[ : {allowed}].',

  'envelope-invalid':
    'L’entrée de l’exécution n’est pas valide[ dans {where}][ : « {problem} »]. Corrigez-la et renvoyez-la.',
  'protocol-version-unsupported':
    'La version du protocole AG-UI n’est pas prise en charge[ : « {given} »]. Envoyez un protocolVersion pris en charge[ : {supported}].',
  'session-header-invalid':
    'L’identifiant de session n’est pas valide. Envoyez de 33 à 256 caractères : lettres, chiffres, - et _, en commençant par une lettre ou un chiffre.',
  'session-header-missing':
    'L’identifiant de session manque. Envoyez-le dans l’en-tête X-Amzn-Bedrock-AgentCore-Runtime-Session-Id.',
  'control-unknown': 'Ce message de contrôle est inconnu[ : « {given} »]. Envoyez cancel, attach ou ping.',
  'extension-missing':
    'forwardedProps.iacCode est obligatoire ici. Envoyez-le avec schemaVersion, rosInvocationId et cwd.',
  'extension-invalid':
    'forwardedProps.iacCode n’est pas valide[ dans {where}][ : « {problem} »]. Corrigez-le et renvoyez la requête.',
  'workspace-not-absolute':
    'L’espace de travail indiqué dans cwd n’est pas un chemin absolu. Envoyez le chemin complet d’un dossier.',
  'workspace-invalid':
    'L’espace de travail indiqué dans cwd n’est pas un chemin utilisable. Envoyez le chemin d’un dossier existant ou à créer.',
  'workspace-outside-roots':
    'L’espace de travail indiqué dans cwd se trouve hors des dossiers autorisés. Choisissez-en un à l’intérieur ou demandez à l’administrateur de l’autoriser.',
  'workspace-not-a-directory':
    'L’espace de travail indiqué dans cwd n’est pas un dossier. Envoyez le chemin d’un dossier.',
  'workspace-not-created':
    'Le dossier de travail n’a pas pu être créé. Choisissez-en un autre ou demandez à l’administrateur de vérifier les droits et l’espace libre.',
  'tools-unsupported': 'L’agent ne peut pas utiliser d’outils du client. Envoyez une liste tools vide.',
  'message-missing':
    'Il n’y a aucun message utilisateur auquel répondre. Ajoutez un message avec le rôle user.',
  'content-unsupported':
    'Le message contient un type de contenu non pris en charge[ : {type}]. Envoyez uniquement du texte ou des images intégrées.',
  'media-remote':
    'Les médias distants ne sont pas téléchargés. Envoyez l’image intégrée sous forme de données base64.',
  'media-type-not-an-image':
    'Le type d’une pièce jointe n’est pas pris en charge[ : « {given} »]. Envoyez une image PNG, JPEG, GIF ou WebP.',
  'media-not-base64':
    'Les données d’une image ne sont pas du base64 valide. Encodez-les en base64 avec remplissage et sans espaces.',
  'media-too-large': 'Une image est trop volumineuse. Réduisez-la[ à {limit} octets au maximum].',
  'media-too-large-together':
    'Les images du message sont trop volumineuses dans leur ensemble. Envoyez-en moins ou de plus petites[, {limit} octets au total au maximum].',
  'media-undecodable':
    'Une image n’a pas pu être lue. Vérifiez que le fichier est intact et correspond à son type.',

  'thread-busy': 'Le thread traite déjà une requête. Attendez qu’elle se termine, puis réessayez.',
  'run-id-used':
    'Cette requête a déjà été envoyée avec ce runId. Utilisez un nouveau runId pour une nouvelle exécution.',
  'run-id-conflict': 'Ce runId a déjà servi à une autre requête. Utilisez un nouveau runId.',
  'resume-required':
    'Le thread attend des réponses à des interruptions. Répondez-y dans resume avant d’envoyer un nouveau message.',
  'resume-incomplete':
    'Certaines interruptions en attente n’ont pas de réponse[ (manquantes : {missing})]. Répondez exactement une fois à chacune.',
  'resume-duplicate-entry':
    'Une interruption reçoit plusieurs réponses. Répondez exactement une fois à chacune.',
  'interrupt-unknown':
    'Une réponse désigne une interruption inconnue de ce thread[ : « {id} »]. Répondez uniquement à celles en attente.',
  'payload-missing':
    'Une réponse resolved n’a pas de payload. Ajoutez-en un conforme au responseSchema de l’interruption.',
  'payload-invalid':
    'Le payload d’une réponse n’est pas conforme à son responseSchema[ dans {where}][ : « {problem} »]. Corrigez-le et envoyez-le avec un nouveau runId.',
  'payload-empty': 'Le payload ne contient aucune réponse. Complétez-le et envoyez-le avec un nouveau runId.',
  'resume-already-applied':
    'Cette réponse a déjà été acceptée et n’est pas appliquée une seconde fois. Envoyez un nouveau message pour continuer.',
  'execution-expired':
    'L’interruption a expiré et ne peut plus recevoir de réponse. Envoyez un nouveau message pour recommencer.',
  'execution-lost': 'Il n’y a plus d’exécution à reprendre. Envoyez un nouveau message pour recommencer.',
  'execution-mismatch':
    'La réponse ne correspond pas à l’exécution interrompue. Envoyez le rosInvocationId de cette exécution.',
  'session-not-restorable':
    'La session de l’agent n’a pas pu être restaurée. Envoyez un nouveau message pour recommencer.',
  'execution-not-found': 'Cette exécution est inconnue. Vérifiez executionId, threadId et rosInvocationId.',
  'run-not-found': 'Cette exécution est inconnue ou n’est plus conservée. Vérifiez threadId et runId.',

  'too-many-requests': 'Trop de requêtes en peu de temps. Patientez[ {seconds} s] avant de réessayer.',
  'too-many-runs':
    'La limite d’exécutions simultanées est atteinte[ ({limit})]. Réessayez lorsqu’une exécution sera terminée.',
  'too-many-sockets':
    'La limite de connexions ouvertes est atteinte[ ({limit})]. Fermez-en une ou réessayez plus tard.',
  'too-many-sessions':
    'La limite de sessions est atteinte[ ({limit})]. Utilisez une session existante ou réessayez plus tard.',
  'too-many-threads':
    'La limite de threads est atteinte[ ({limit})]. Utilisez un thread existant ou réessayez plus tard.',
  'thread-too-large':
    'Ce thread est devenu trop volumineux pour être enregistré. Commencez un nouveau thread.',

  'kernel-unavailable': 'L’agent est injoignable pour le moment. Réessayez dans un instant.',
  'kernel-refused':
    'L’agent n’a pas accepté la requête. Réessayez plus tard ; si le problème persiste, prévenez l’administrateur.',
  'kernel-protocol': 'L’agent a donné une réponse qui n’a pas pu être comprise. Prévenez l’administrateur.',
  'kernel-identity-changed':
    'L’agent a répondu pour une autre tâche ou une autre session, et l’exécution a été arrêtée. Envoyez un nouveau message pour recommencer.',
  'kernel-version':
    'L’agent utilise une version d’A2A non prise en charge[ (proposée : {offered}, requise : {needed})]. Demandez à l’administrateur de le mettre à jour.',
  'task-failed': 'L’agent n’a pas pu mener la tâche à bien. Réessayez avec une nouvelle exécution.',
  'task-rejected':
    'L’agent a refusé la tâche. Modifiez la demande, puis réessayez avec une nouvelle exécution.',
  'task-needs-authentication':
    'L’agent a besoin d’une authentification dont il ne dispose pas. Demandez à l’administrateur de la configurer.',
  'task-unfinished': 'L’agent s’est arrêté avant la fin de la tâche. Réessayez avec une nouvelle exécution.',
  'task-interrupted-by-restart':
    'Le service a redémarré pendant cette exécution. Vérifiez ce qui a été fait, puis lancez une nouvelle exécution.',
  'run-deadline':
    'L’exécution a été arrêtée, car elle a duré plus longtemps que permis. Réessayez avec une tâche plus petite.',
  'stream-deadline':
    'La durée de ce flux est écoulée, mais l’exécution continue. Rattachez-vous à elle pour lire la suite.',
  'cancel-failed':
    'L’agent n’a pas confirmé l’annulation et travaille peut-être encore. Essayez de nouveau d’annuler.',
  'state-not-saved':
    'L’état de l’exécution n’a pas pu être enregistré, et l’exécution a été arrêtée. Réessayez plus tard.',
  cancelled: 'L’exécution a été annulée. Envoyez un nouveau message pour continuer.',
  'server-stopping-run':
    'Le service s’arrête et a mis fin à cette exécution. Lancez une nouvelle exécution dans un instant.',
  'reader-too-slow':
    'Les événements n’ont pas été lus assez vite et la connexion a été fermée. Reconnectez-vous et lisez plus vite.',

  'state-unreadable':
    'L’état enregistré de ce thread est illisible. Réessayez plus tard ou commencez un nouveau thread.',
  'state-not-writable':
    'L’état de ce thread ne peut pas être enregistré pour le moment. Réessayez plus tard.',
  'identity-unavailable':
    'Les informations d’identification ne peuvent pas être vérifiées pour le moment. Réessayez dans un instant.',
  'server-starting': 'Le service est en cours de démarrage. Réessayez dans un instant.',
  'server-draining':
    'Le service s’arrête et n’accepte plus de nouvelles requêtes. Réessayez dans un instant.',
  internal: 'Un problème est survenu dans le service. Réessayez ; s’il persiste, prévenez l’administrateur.',
};
