/** Italian. Placeholders and brackets: see `../sentence.ts`. */
import type { FaultName } from '../../errors/catalog.ts';

export const it: Readonly<Record<FaultName, string>> = {
  'credentials-missing': "Mancano le credenziali. Inviare un token Bearer nell'intestazione Authorization.",
  'credentials-invalid': 'Le credenziali non sono valide o sono scadute. Inviare un token Bearer valido.',
  'access-denied':
    "Queste credenziali non consentono l'operazione. Usarne altre o chiedere l'accesso all'amministratore.",
  'thread-of-another-caller':
    'Questo thread non è disponibile per questo chiamante. Usare le credenziali e lo userId della sua prima richiesta, o un altro threadId.',
  'thread-in-another-workspace':
    "Questo thread è legato a un'altra area di lavoro. Inviare il cwd della sua prima richiesta o avviare un nuovo thread.",

  'media-type-unsupported':
    'Il tipo di contenuto del corpo della richiesta non è supportato[: «{given}»]. Inviare application/json.',
  'accept-unsupported':
    "La risposta è disponibile solo come text/event-stream. Ammettere questo tipo nell'intestazione Accept.",
  'body-too-large': 'Il corpo della richiesta è troppo grande. Ridurlo[ a un massimo di {limit} byte].',
  'body-stalled': 'Il corpo della richiesta ha smesso di arrivare. Inviare di nuovo la richiesta.',
  'head-too-large': 'Le intestazioni della richiesta sono troppo grandi. Inviarne di meno o di più brevi.',
  'head-malformed': 'Questa non è una richiesta HTTP leggibile. Controllare il client.',
  'body-empty': 'Il corpo della richiesta è vuoto. Inviare un oggetto JSON.',
  'body-not-utf8': 'Il corpo della richiesta non è testo UTF-8. Codificare il JSON in UTF-8.',
  'body-not-json': 'Il corpo della richiesta non è JSON valido. Correggerlo e inviarlo di nuovo.',
  'body-too-deep':
    'Il JSON della richiesta ha troppi livelli di annidamento. Ridurli[ a un massimo di {limit}].',
  'body-forbidden-key':
    'Il corpo della richiesta contiene un nome di membro non consentito[: «{key}»]. Rimuovere il membro.',
  'body-not-an-object': 'Il corpo della richiesta deve essere un oggetto JSON. Inviare un oggetto.',
  'path-unknown': "A questo indirizzo non c'è nulla. Verificare il percorso.",
  'upgrade-required':
    'Questo indirizzo parla solo WebSocket. Richiedere il passaggio (Upgrade) a questo protocollo.',
  'method-not-allowed': 'Questo indirizzo non accetta questo metodo. Usarne uno consentito[: {allowed}].',

  'envelope-invalid':
    "L'input dell'esecuzione non è valido[ in {where}][: «{problem}»]. Correggerlo e inviarlo di nuovo.",
  'protocol-version-unsupported':
    'La versione del protocollo AG-UI non è supportata[: «{given}»]. Inviare una protocolVersion supportata[: {supported}].',
  'session-header-invalid':
    "L'identificativo di sessione non è valido. Inviare da 33 a 256 caratteri: lettere, cifre, - e _, iniziando con una lettera o una cifra.",
  'session-header-missing':
    "Manca l'identificativo di sessione. Inviarlo nell'intestazione X-Amzn-Bedrock-AgentCore-Runtime-Session-Id.",
  'control-unknown':
    'Questo messaggio di controllo non è riconosciuto[: «{given}»]. Inviare cancel, attach o ping.',
  'extension-missing':
    'forwardedProps.iacCode è obbligatorio qui. Inviarlo con schemaVersion, rosInvocationId e cwd.',
  'extension-invalid':
    'forwardedProps.iacCode non è valido[ in {where}][: «{problem}»]. Correggerlo e inviare di nuovo la richiesta.',
  'workspace-not-absolute':
    "L'area di lavoro in cwd non è un percorso assoluto. Inviare il percorso completo di una cartella.",
  'workspace-invalid':
    "L'area di lavoro in cwd non è un percorso utilizzabile. Inviare il percorso di una cartella esistente o nuova.",
  'workspace-outside-roots':
    "L'area di lavoro in cwd è fuori dalle cartelle consentite. Sceglierne una al loro interno o chiedere all'amministratore di autorizzarla.",
  'workspace-not-a-directory':
    "L'area di lavoro in cwd non è una cartella. Inviare il percorso di una cartella.",
  'workspace-not-created':
    "Non è stato possibile creare la cartella di lavoro. Sceglierne un'altra o chiedere all'amministratore di verificare permessi e spazio libero.",
  'tools-unsupported': "L'agente non può usare gli strumenti del client. Inviare una lista tools vuota.",
  'message-missing':
    "Non c'è alcun messaggio dell'utente a cui rispondere. Aggiungere un messaggio con ruolo user.",
  'content-unsupported':
    'Il messaggio contiene un tipo di contenuto non supportato[: {type}]. Inviare solo testo o immagini incorporate.',
  'media-remote':
    "I contenuti remoti non vengono scaricati. Inviare l'immagine incorporata come dati base64.",
  'media-type-not-an-image':
    "Il tipo di un allegato non è supportato[: «{given}»]. Inviare un'immagine PNG, JPEG, GIF o WebP.",
  'media-not-base64':
    "I dati di un'immagine non sono base64 valido. Codificarli in base64 con riempimento e senza spazi.",
  'media-too-large': "Un'immagine è troppo grande. Ridurla[ a un massimo di {limit} byte].",
  'media-too-large-together':
    'Le immagini del messaggio sono troppo grandi nel complesso. Inviarne di meno o più piccole[, al massimo {limit} byte in totale].',
  'media-undecodable':
    "Non è stato possibile leggere un'immagine. Verificare che il file sia integro e corrisponda al suo tipo.",

  'thread-busy': 'Il thread sta già elaborando una richiesta. Attendere che termini, poi riprovare.',
  'run-id-used':
    'Questa richiesta è già stata inviata con questo runId. Usare un nuovo runId per una nuova esecuzione.',
  'run-id-conflict': "Questo runId è già stato usato per un'altra richiesta. Usare un nuovo runId.",
  'resume-required':
    'Il thread attende risposte a interruzioni in sospeso. Rispondere in resume prima di inviare un nuovo messaggio.',
  'resume-incomplete':
    'Alcune interruzioni in sospeso non hanno risposta[ (mancanti: {missing})]. Rispondere a ciascuna esattamente una volta.',
  'resume-duplicate-entry':
    "Un'interruzione ha più di una risposta. Rispondere a ciascuna esattamente una volta.",
  'interrupt-unknown':
    "Una risposta indica un'interruzione sconosciuta in questo thread[: «{id}»]. Rispondere solo a quelle in sospeso.",
  'payload-missing':
    "Una risposta resolved è priva di payload. Aggiungerne uno conforme al responseSchema dell'interruzione.",
  'payload-invalid':
    'Il payload di una risposta non è conforme al suo responseSchema[ in {where}][: «{problem}»]. Correggerlo e inviarlo con un nuovo runId.',
  'payload-empty': 'Il payload non contiene alcuna risposta. Compilarlo e inviarlo con un nuovo runId.',
  'resume-already-applied':
    'Questa risposta è già stata accettata e non viene applicata di nuovo. Inviare un nuovo messaggio per proseguire.',
  'execution-expired':
    "L'interruzione è scaduta e non può più ricevere risposta. Inviare un nuovo messaggio per ricominciare.",
  'execution-lost':
    "Non c'è più alcuna esecuzione da riprendere. Inviare un nuovo messaggio per ricominciare.",
  'execution-mismatch':
    "La risposta non appartiene all'esecuzione interrotta. Inviare il rosInvocationId di quella esecuzione.",
  'session-not-restorable':
    "Non è stato possibile ripristinare la sessione dell'agente. Inviare un nuovo messaggio per ricominciare.",
  'execution-not-found': 'Questa esecuzione non è nota. Verificare executionId, threadId e rosInvocationId.',
  'run-not-found': 'Questa esecuzione non è nota o non è più conservata. Verificare threadId e runId.',

  'too-many-requests': 'Troppe richieste in poco tempo. Attendere[ {seconds} s] prima di riprovare.',
  'too-many-runs':
    "È stato raggiunto il limite di esecuzioni simultanee[ ({limit})]. Riprovare quando un'esecuzione sarà terminata.",
  'too-many-sockets':
    'È stato raggiunto il limite di connessioni aperte[ ({limit})]. Chiuderne una o riprovare più tardi.',
  'too-many-sessions':
    'È stato raggiunto il limite di sessioni[ ({limit})]. Usarne una esistente o riprovare più tardi.',
  'too-many-threads':
    'È stato raggiunto il limite di thread[ ({limit})]. Usarne uno esistente o riprovare più tardi.',
  'thread-too-large': 'Questo thread è diventato troppo grande per essere salvato. Iniziare un nuovo thread.',

  'kernel-unavailable': "L'agente non è raggiungibile al momento. Riprovare tra poco.",
  'kernel-refused':
    "L'agente non ha accettato la richiesta. Riprovare più tardi; se il problema persiste, avvisare l'amministratore.",
  'kernel-protocol':
    "L'agente ha dato una risposta che non è stato possibile comprendere. Avvisare l'amministratore.",
  'kernel-identity-changed':
    "L'agente ha risposto per un'altra attività o sessione e l'esecuzione è stata fermata. Inviare un nuovo messaggio per ricominciare.",
  'kernel-version':
    "L'agente usa una versione di A2A non supportata[ (offerta: {offered}, richiesta: {needed})]. Chiedere all'amministratore di aggiornarlo.",
  'task-failed': "L'agente non è riuscito a completare l'attività. Riprovare con una nuova esecuzione.",
  'task-rejected':
    "L'agente ha rifiutato l'attività. Modificare la richiesta e riprovare con una nuova esecuzione.",
  'task-needs-authentication':
    "L'agente richiede un'autenticazione di cui non dispone. Chiedere all'amministratore di configurarla.",
  'task-unfinished':
    "L'agente si è fermato prima di completare l'attività. Riprovare con una nuova esecuzione.",
  'task-interrupted-by-restart':
    'Il servizio si è riavviato durante questa esecuzione. Verificare che cosa è stato fatto, poi avviare una nuova esecuzione.',
  'run-deadline':
    "L'esecuzione è stata interrotta perché è durata più del consentito. Riprovare con un'attività più piccola.",
  'stream-deadline':
    "Il tempo di questo flusso è scaduto, ma l'esecuzione continua. Ricollegarsi ad essa per leggere il seguito.",
  'cancel-failed':
    "L'agente non ha confermato l'annullamento e potrebbe essere ancora al lavoro. Provare di nuovo ad annullare.",
  'state-not-saved':
    "Non è stato possibile salvare lo stato dell'esecuzione, che è stata fermata. Riprovare più tardi.",
  cancelled: "L'esecuzione è stata annullata. Inviare un nuovo messaggio per proseguire.",
  'server-stopping-run':
    'Il servizio si sta arrestando e ha terminato questa esecuzione. Avviare una nuova esecuzione tra poco.',
  'reader-too-slow':
    'Gli eventi non sono stati letti abbastanza in fretta e la connessione è stata chiusa. Connettersi di nuovo e leggere più rapidamente.',

  'state-unreadable':
    'Lo stato salvato di questo thread non è leggibile. Riprovare più tardi o avviare un nuovo thread.',
  'state-not-writable': 'Al momento non è possibile salvare lo stato di questo thread. Riprovare più tardi.',
  'identity-unavailable': 'Al momento non è possibile verificare le credenziali. Riprovare tra poco.',
  'server-starting': 'Il servizio è ancora in fase di avvio. Riprovare tra poco.',
  'server-draining': 'Il servizio si sta arrestando e non accetta nuove richieste. Riprovare tra poco.',
  internal: "Si è verificato un problema nel servizio. Riprovare; se persiste, avvisare l'amministratore.",
};
