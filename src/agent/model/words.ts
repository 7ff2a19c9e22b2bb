/** What the loop itself says around a model, in the user's language: questions before a change, and why a turn failed. */
import type { SpokenLanguage } from '../understanding/language.ts';
import type { FailureKind } from './model-failure.ts';

export interface ModelWords {
  readonly mayWrite: (file: string) => string;
  readonly mayDelete: (file: string) => string;
  readonly tooManySteps: string;
  readonly failures: Readonly<Record<FailureKind, string>>;
}

export const modelWords: Readonly<Record<SpokenLanguage, ModelWords>> = {
  en: {
    mayWrite: (file) => `Write ${file} in the workspace?`,
    mayDelete: (file) => `Delete ${file} from the workspace?`,
    tooManySteps: 'I pause here after many steps. Tell me to go on, or what to do instead.',
    failures: {
      busy: 'The language model is overloaded. Please try again in a moment.',
      away: 'The language model can not be reached. Please try again later.',
      denied: 'The language model refused the credentials. Check the key or the role of this server.',
      filtered: 'The answer was stopped by the content filter of the language model.',
      'too-long':
        'The conversation became too long for the language model. I forgot its beginning; please say again what you want.',
      unusable:
        'The language model could not take this request. Check the name of the model, or try another one.',
    },
  },
  de: {
    mayWrite: (file) => `${file} in den Arbeitsbereich schreiben?`,
    mayDelete: (file) => `${file} aus dem Arbeitsbereich löschen?`,
    tooManySteps: 'Ich halte hier nach vielen Schritten an. Soll ich weitermachen, oder etwas anderes tun?',
    failures: {
      busy: 'Das Sprachmodell ist überlastet. Bitte gleich noch einmal versuchen.',
      away: 'Das Sprachmodell ist nicht erreichbar. Bitte später noch einmal versuchen.',
      denied:
        'Das Sprachmodell hat die Zugangsdaten abgelehnt. Bitte Schlüssel oder Rolle des Servers prüfen.',
      filtered: 'Der Inhaltsfilter des Sprachmodells hat die Antwort angehalten.',
      'too-long':
        'Das Gespräch wurde für das Sprachmodell zu lang. Ich habe den Anfang vergessen; bitte den Wunsch noch einmal nennen.',
      unusable:
        'Das Sprachmodell konnte die Anfrage nicht annehmen. Bitte den Modellnamen prüfen oder ein anderes nehmen.',
    },
  },
  fr: {
    mayWrite: (file) => `Écrire ${file} dans l’espace de travail ?`,
    mayDelete: (file) => `Supprimer ${file} de l’espace de travail ?`,
    tooManySteps:
      'Je m’arrête ici après de nombreuses étapes. Dites-moi de continuer, ou quoi faire d’autre.',
    failures: {
      busy: 'Le modèle de langage est surchargé. Veuillez réessayer dans un instant.',
      away: 'Le modèle de langage est injoignable. Veuillez réessayer plus tard.',
      denied: 'Le modèle de langage a refusé les identifiants. Vérifiez la clé ou le rôle de ce serveur.',
      filtered: 'Le filtre de contenu du modèle de langage a arrêté la réponse.',
      'too-long':
        'La conversation est devenue trop longue pour le modèle de langage. J’en ai oublié le début ; redites ce que vous voulez.',
      unusable:
        'Le modèle de langage n’a pas pu traiter la demande. Vérifiez le nom du modèle, ou essayez-en un autre.',
    },
  },
  it: {
    mayWrite: (file) => `Scrivere ${file} nell’area di lavoro?`,
    mayDelete: (file) => `Eliminare ${file} dall’area di lavoro?`,
    tooManySteps: 'Mi fermo qui dopo molti passaggi. Dimmi se continuare, o che altro fare.',
    failures: {
      busy: 'Il modello linguistico è sovraccarico. Riprova tra un momento.',
      away: 'Il modello linguistico non è raggiungibile. Riprova più tardi.',
      denied:
        'Il modello linguistico ha rifiutato le credenziali. Controlla la chiave o il ruolo di questo server.',
      filtered: 'Il filtro dei contenuti del modello linguistico ha fermato la risposta.',
      'too-long':
        'La conversazione è diventata troppo lunga per il modello linguistico. Ne ho dimenticato l’inizio; ripeti cosa vuoi.',
      unusable:
        'Il modello linguistico non ha accettato la richiesta. Controlla il nome del modello, o provane un altro.',
    },
  },
  es: {
    mayWrite: (file) => `¿Escribir ${file} en el espacio de trabajo?`,
    mayDelete: (file) => `¿Eliminar ${file} del espacio de trabajo?`,
    tooManySteps: 'Me detengo aquí después de muchos pasos. Dime si continúo, o qué otra cosa hago.',
    failures: {
      busy: 'El modelo de lenguaje está sobrecargado. Inténtalo de nuevo en un momento.',
      away: 'No se puede acceder al modelo de lenguaje. Inténtalo más tarde.',
      denied: 'El modelo de lenguaje rechazó las credenciales. Comprueba la clave o el rol de este servidor.',
      filtered: 'El filtro de contenido del modelo de lenguaje detuvo la respuesta.',
      'too-long':
        'La conversación es demasiado larga para el modelo de lenguaje. He olvidado su comienzo; repite lo que quieres.',
      unusable: 'El modelo de lenguaje no aceptó la petición. Comprueba el nombre del modelo, o prueba otro.',
    },
  },
  pt: {
    mayWrite: (file) => `Gravar ${file} no espaço de trabalho?`,
    mayDelete: (file) => `Excluir ${file} do espaço de trabalho?`,
    tooManySteps: 'Paro aqui depois de muitos passos. Diga se devo continuar, ou o que fazer.',
    failures: {
      busy: 'O modelo de linguagem está sobrecarregado. Tente de novo em instantes.',
      away: 'O modelo de linguagem não está acessível. Tente mais tarde.',
      denied: 'O modelo de linguagem recusou as credenciais. Verifique a chave ou a função deste servidor.',
      filtered: 'O filtro de conteúdo do modelo de linguagem interrompeu a resposta.',
      'too-long':
        'A conversa ficou longa demais para o modelo de linguagem. Esqueci o começo; repita o que deseja.',
      unusable: 'O modelo de linguagem não aceitou o pedido. Verifique o nome do modelo, ou tente outro.',
    },
  },
  ja: {
    mayWrite: (file) => `ワークスペースに ${file} を書き込みますか？`,
    mayDelete: (file) => `ワークスペースから ${file} を削除しますか？`,
    tooManySteps: '多くの手順を行ったため、ここで止まります。続けるか、別のことをするか教えてください。',
    failures: {
      busy: '言語モデルが混み合っています。少し待ってからもう一度お試しください。',
      away: '言語モデルに接続できません。後でもう一度お試しください。',
      denied: '言語モデルが認証情報を拒否しました。キーまたはサーバーのロールを確認してください。',
      filtered: '言語モデルのコンテンツフィルターが回答を止めました。',
      'too-long':
        '会話が言語モデルには長くなりすぎました。初めの部分を忘れましたので、ご希望をもう一度お書きください。',
      unusable:
        '言語モデルがこの依頼を受け付けませんでした。モデル名を確認するか、別のモデルをお試しください。',
    },
  },
  zh: {
    mayWrite: (file) => `要在工作区写入 ${file} 吗？`,
    mayDelete: (file) => `要从工作区删除 ${file} 吗？`,
    tooManySteps: '已执行了很多步骤，我先停在这里。请告诉我是否继续，或改做别的。',
    failures: {
      busy: '语言模型繁忙，请稍后重试。',
      away: '无法连接语言模型，请稍后再试。',
      denied: '语言模型拒绝了凭证。请检查密钥或本服务器的角色。',
      filtered: '语言模型的内容过滤器中止了回答。',
      'too-long': '对话对语言模型来说太长了。我已忘记开头部分，请再说一次您的需求。',
      unusable: '语言模型无法接受此请求。请检查模型名称，或换一个模型。',
    },
  },
};
