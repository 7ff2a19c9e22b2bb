/**
 * The message of a `RUN_ERROR` on the AgentCore door: the sentence that the AgentCore AG-UI contract documents for the
 * code, then what exactly is wrong. The two messages of `SESSION_BUSY` stand alone and in English in every language,
 * because clients tell a busy session from a conflict by their text.
 */
import type { AgentCoreCode } from '../errors/catalog.ts';
import type { Fault } from '../errors/fault.ts';
import type { Language } from './choose-language.ts';
import { sentence } from './sentence.ts';

/** The session is busy; the same request may be sent again. */
export const sessionBusyMessage = 'Session operation in progress, please retry';
/** The run id was used before; the same request can't succeed. */
export const sessionConflictMessage = 'Resource conflict - Resource already exists';

/** Codes with a documented sentence that other words may follow. `CANCELLED` has none of its own. */
type DocumentedCode = Exclude<AgentCoreCode, 'SESSION_BUSY' | 'CANCELLED'>;

export const documentedSentences: Readonly<Record<Language, Readonly<Record<DocumentedCode, string>>>> = {
  en: {
    UNAUTHORIZED: 'Authentication required or invalid credentials',
    ACCESS_DENIED: 'Insufficient permissions for requested operation',
    VALIDATION_ERROR: 'Invalid request data or parameters',
    RATE_LIMIT_EXCEEDED: 'Too many requests from client',
    SERVICE_QUOTA_EXCEEDED: 'Service quota exceeded',
    AGENT_ERROR: 'Agent code failed during execution',
    INTERNAL_ERROR: 'An internal error occurred while processing the request',
  },
  zh: {
    UNAUTHORIZED: '需要身份验证或凭证无效',
    ACCESS_DENIED: '没有执行所请求操作的足够权限',
    VALIDATION_ERROR: '请求数据或参数无效',
    RATE_LIMIT_EXCEEDED: '客户端请求过多',
    SERVICE_QUOTA_EXCEEDED: '超出服务配额',
    AGENT_ERROR: '智能体代码在执行期间失败',
    INTERNAL_ERROR: '处理请求时发生内部错误',
  },
  es: {
    UNAUTHORIZED: 'Se requiere autenticación o las credenciales no son válidas',
    ACCESS_DENIED: 'Permisos insuficientes para la operación solicitada',
    VALIDATION_ERROR: 'Los datos o parámetros de la solicitud no son válidos',
    RATE_LIMIT_EXCEEDED: 'Demasiadas solicitudes del cliente',
    SERVICE_QUOTA_EXCEEDED: 'Se superó la cuota de servicio',
    AGENT_ERROR: 'El código del agente falló durante la ejecución',
    INTERNAL_ERROR: 'Se produjo un error interno al procesar la solicitud',
  },
  fr: {
    UNAUTHORIZED: 'Authentification requise ou informations d’identification non valides',
    ACCESS_DENIED: 'Autorisations insuffisantes pour l’opération demandée',
    VALIDATION_ERROR: 'Données ou paramètres de la requête non valides',
    RATE_LIMIT_EXCEEDED: 'Trop de requêtes de la part du client',
    SERVICE_QUOTA_EXCEEDED: 'Quota de service dépassé',
    AGENT_ERROR: 'Le code de l’agent a échoué pendant l’exécution',
    INTERNAL_ERROR: 'Une erreur interne s’est produite lors du traitement de la requête',
  },
  de: {
    UNAUTHORIZED: 'Authentifizierung erforderlich oder Anmeldedaten ungültig',
    ACCESS_DENIED: 'Unzureichende Berechtigungen für den angeforderten Vorgang',
    VALIDATION_ERROR: 'Ungültige Daten oder Parameter in der Anfrage',
    RATE_LIMIT_EXCEEDED: 'Zu viele Anfragen vom Client',
    SERVICE_QUOTA_EXCEEDED: 'Servicekontingent überschritten',
    AGENT_ERROR: 'Der Code des Agenten ist während der Ausführung fehlgeschlagen',
    INTERNAL_ERROR: 'Bei der Verarbeitung der Anfrage ist ein interner Fehler aufgetreten',
  },
  ja: {
    UNAUTHORIZED: '認証が必要か、認証情報が無効です',
    ACCESS_DENIED: '要求された操作に必要な権限がありません',
    VALIDATION_ERROR: 'リクエストのデータまたはパラメータが無効です',
    RATE_LIMIT_EXCEEDED: 'クライアントからのリクエストが多すぎます',
    SERVICE_QUOTA_EXCEEDED: 'サービスクォータを超えました',
    AGENT_ERROR: 'エージェントのコードが実行中に失敗しました',
    INTERNAL_ERROR: 'リクエストの処理中に内部エラーが発生しました',
  },
  pt: {
    UNAUTHORIZED: 'Autenticação necessária ou credenciais inválidas',
    ACCESS_DENIED: 'Permissões insuficientes para a operação solicitada',
    VALIDATION_ERROR: 'Dados ou parâmetros da solicitação inválidos',
    RATE_LIMIT_EXCEEDED: 'Solicitações demais do cliente',
    SERVICE_QUOTA_EXCEEDED: 'Cota de serviço excedida',
    AGENT_ERROR: 'O código do agente falhou durante a execução',
    INTERNAL_ERROR: 'Ocorreu um erro interno ao processar a solicitação',
  },
  it: {
    UNAUTHORIZED: 'Autenticazione richiesta o credenziali non valide',
    ACCESS_DENIED: "Autorizzazioni insufficienti per l'operazione richiesta",
    VALIDATION_ERROR: 'Dati o parametri della richiesta non validi',
    RATE_LIMIT_EXCEEDED: 'Troppe richieste dal cliente',
    SERVICE_QUOTA_EXCEEDED: 'Quota di servizio superata',
    AGENT_ERROR: "Codice agente non riuscito durante l'esecuzione",
    INTERNAL_ERROR: "Si è verificato un errore interno durante l'elaborazione della richiesta",
  },
};

/** The colon between the two, as each language sets it. */
const colons: Readonly<Record<Language, string>> = {
  en: ': ',
  zh: '：',
  es: ': ',
  fr: '\u00a0: ',
  de: ': ',
  ja: '：',
  pt: ': ',
  it: ': ',
};

/** What a caller of the AgentCore door is told about a fault. */
export function agentCoreSentence(fault: Fault, language: Language): string {
  const { code } = fault.row.agentCore;
  switch (code) {
    case 'SESSION_BUSY':
      return fault.code === 'THREAD_BUSY' ? sessionBusyMessage : sessionConflictMessage;
    case 'CANCELLED':
      return sentence(fault, language);
    default:
      return `${documentedSentences[language][code]}${colons[language]}${sentence(fault, language)}`;
  }
}
