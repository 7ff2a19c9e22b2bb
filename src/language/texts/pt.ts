/** Portuguese, as written in Brazil. Placeholders and brackets: see `../sentence.ts`. */
import type { FaultName } from '../../errors/catalog.ts';

export const pt: Readonly<Record<FaultName, string>> = {
  'credentials-missing': 'Faltam as credenciais. Envie um token Bearer no cabeçalho Authorization.',
  'credentials-invalid': 'As credenciais não são válidas ou expiraram. Envie um token Bearer válido.',
  'access-denied':
    'Estas credenciais não permitem esta operação. Use outras ou peça acesso ao administrador.',
  'thread-of-another-caller':
    'Esta thread não está disponível para este cliente. Use as credenciais e o userId da primeira solicitação, ou outro threadId.',
  'thread-in-another-workspace':
    'Esta thread está vinculada a outro espaço de trabalho. Envie o cwd da primeira solicitação ou inicie uma nova thread.',

  'media-type-unsupported':
    'O tipo de mídia do corpo da solicitação não é aceito[: “{given}”]. Envie application/json.',
  'accept-unsupported':
    'A resposta só está disponível como text/event-stream. Aceite esse tipo no cabeçalho Accept.',
  'body-too-large': 'O corpo da solicitação é grande demais. Reduza-o[ para no máximo {limit} bytes].',
  'body-stalled': 'O corpo da solicitação parou de chegar. Envie a solicitação novamente.',
  'head-too-large': 'Os cabeçalhos da solicitação são grandes demais. Envie menos ou mais curtos.',
  'head-malformed': 'Esta não é uma solicitação HTTP legível. Verifique o cliente.',
  'body-empty': 'O corpo da solicitação está vazio. Envie um objeto JSON.',
  'body-not-utf8': 'O corpo da solicitação não é texto UTF-8. Codifique o JSON em UTF-8.',
  'body-not-json': 'O corpo da solicitação não é um JSON válido. Corrija-o e envie novamente.',
  'body-too-deep':
    'O JSON da solicitação tem níveis demais de aninhamento. Reduza-os[ para no máximo {limit}].',
  'body-forbidden-key':
    'O corpo da solicitação contém um nome de membro não permitido[: “{key}”]. Remova esse membro.',
  'body-not-an-object': 'O corpo da solicitação deve ser um objeto JSON. Envie um objeto.',
  'path-unknown': 'Não há nada neste endereço. Verifique o caminho.',
  'upgrade-required': 'Este endereço só fala WebSocket. Peça a mudança (Upgrade) para esse protocolo.',
  'method-not-allowed': 'Este endereço não aceita este método. Use um permitido[: {allowed}].',

  'envelope-invalid':
    'A entrada da execução não é válida[ em {where}][: “{problem}”]. Corrija-a e envie novamente.',
  'protocol-version-unsupported':
    'A versão do protocolo AG-UI não é aceita[: “{given}”]. Envie uma protocolVersion aceita[: {supported}].',
  'session-header-invalid':
    'O identificador de sessão não é válido. Envie de 33 a 256 caracteres: letras, dígitos, - e _, começando por letra ou dígito.',
  'session-header-missing':
    'Falta o identificador de sessão. Envie-o no cabeçalho X-Amzn-Bedrock-AgentCore-Runtime-Session-Id.',
  'control-unknown': 'Esta mensagem de controle não é conhecida[: “{given}”]. Envie cancel, attach ou ping.',
  'extension-missing':
    'forwardedProps.iacCode é obrigatório aqui. Envie-o com schemaVersion, rosInvocationId e cwd.',
  'extension-invalid':
    'forwardedProps.iacCode não é válido[ em {where}][: “{problem}”]. Corrija-o e envie a solicitação novamente.',
  'workspace-not-absolute':
    'O espaço de trabalho em cwd não é um caminho absoluto. Envie o caminho completo de uma pasta.',
  'workspace-invalid':
    'O espaço de trabalho em cwd não é um caminho utilizável. Envie o caminho de uma pasta existente ou nova.',
  'workspace-outside-roots':
    'O espaço de trabalho em cwd está fora das pastas permitidas. Escolha uma dentro delas ou peça ao administrador que a libere.',
  'workspace-not-a-directory': 'O espaço de trabalho em cwd não é uma pasta. Envie o caminho de uma pasta.',
  'workspace-not-created':
    'Não foi possível criar a pasta de trabalho. Escolha outra ou peça ao administrador que verifique as permissões e o espaço livre.',
  'tools-unsupported': 'O agente não pode usar ferramentas do cliente. Envie uma lista tools vazia.',
  'message-missing': 'Não há mensagem do usuário para responder. Adicione uma mensagem com o papel user.',
  'content-unsupported':
    'A mensagem contém um tipo de conteúdo não aceito[: {type}]. Envie somente texto ou imagens incorporadas.',
  'media-remote': 'Mídias remotas não são baixadas. Envie a imagem incorporada como dados base64.',
  'media-type-not-an-image':
    'O tipo de mídia de um anexo não é aceito[: “{given}”]. Envie uma imagem PNG, JPEG, GIF ou WebP.',
  'media-not-base64':
    'Os dados de uma imagem não são base64 válido. Codifique-os em base64 com preenchimento e sem espaços.',
  'media-too-large': 'Uma imagem é grande demais. Reduza-a[ para no máximo {limit} bytes].',
  'media-too-large-together':
    'As imagens da mensagem são grandes demais em conjunto. Envie menos imagens ou imagens menores[, no máximo {limit} bytes no total].',
  'media-undecodable':
    'Não foi possível ler uma imagem. Verifique se o arquivo está íntegro e corresponde ao seu tipo de mídia.',

  'thread-busy': 'A thread já está atendendo a uma solicitação. Aguarde o término e tente novamente.',
  'run-id-used': 'Esta solicitação já foi enviada com este runId. Use um novo runId para uma nova execução.',
  'run-id-conflict': 'Este runId já foi usado em outra solicitação. Use um novo runId.',
  'resume-required':
    'A thread aguarda respostas a interrupções pendentes. Responda a elas em resume antes de enviar uma nova mensagem.',
  'resume-incomplete':
    'Há interrupções pendentes sem resposta[ (faltam: {missing})]. Responda a cada uma exatamente uma vez.',
  'resume-duplicate-entry':
    'Uma interrupção tem mais de uma resposta. Responda a cada uma exatamente uma vez.',
  'interrupt-unknown':
    'Uma resposta indica uma interrupção desconhecida nesta thread[: “{id}”]. Responda somente às pendentes.',
  'payload-missing':
    'Uma resposta resolved está sem payload. Adicione um conforme o responseSchema da interrupção.',
  'payload-invalid':
    'O payload de uma resposta não corresponde ao seu responseSchema[ em {where}][: “{problem}”]. Corrija-o e envie com um novo runId.',
  'payload-empty': 'O payload não contém nenhuma resposta. Preencha-o e envie com um novo runId.',
  'resume-already-applied':
    'Esta resposta já foi aceita e não será aplicada novamente. Envie uma nova mensagem para continuar.',
  'execution-expired':
    'A interrupção expirou e não pode mais ser respondida. Envie uma nova mensagem para recomeçar.',
  'execution-lost': 'Não há mais nenhuma execução a retomar. Envie uma nova mensagem para recomeçar.',
  'execution-mismatch':
    'A resposta não pertence à execução interrompida. Envie o rosInvocationId dessa execução.',
  'session-not-restorable':
    'Não foi possível restaurar a sessão do agente. Envie uma nova mensagem para recomeçar.',
  'execution-not-found': 'Esta execução não é conhecida. Verifique executionId, threadId e rosInvocationId.',
  'run-not-found': 'Esta execução não é conhecida ou não está mais guardada. Verifique threadId e runId.',

  'too-many-requests': 'Solicitações demais em pouco tempo. Aguarde[ {seconds} s] antes de tentar novamente.',
  'too-many-runs':
    'O limite de execuções simultâneas foi atingido[ ({limit})]. Tente novamente quando uma delas terminar.',
  'too-many-sockets':
    'O limite de conexões abertas foi atingido[ ({limit})]. Feche uma ou tente novamente mais tarde.',
  'too-many-sessions':
    'O limite de sessões foi atingido[ ({limit})]. Use uma existente ou tente novamente mais tarde.',
  'too-many-threads':
    'O limite de threads foi atingido[ ({limit})]. Use uma existente ou tente novamente mais tarde.',
  'thread-too-large': 'Esta thread cresceu além do que pode ser salvo. Inicie uma nova thread.',

  'kernel-unavailable': 'Não é possível contatar o agente no momento. Tente novamente em instantes.',
  'kernel-refused':
    'O agente não aceitou a solicitação. Tente novamente mais tarde; se persistir, avise o administrador.',
  'kernel-protocol': 'O agente deu uma resposta que não pôde ser compreendida. Avise o administrador.',
  'kernel-identity-changed':
    'O agente respondeu sobre outra tarefa ou sessão, e a execução foi interrompida. Envie uma nova mensagem para recomeçar.',
  'kernel-version':
    'O agente usa uma versão não aceita do A2A[ (oferecida: {offered}, necessária: {needed})]. Peça ao administrador que o atualize.',
  'task-failed': 'O agente não conseguiu concluir a tarefa. Tente novamente com uma nova execução.',
  'task-rejected': 'O agente recusou a tarefa. Altere a solicitação e tente com uma nova execução.',
  'task-needs-authentication':
    'O agente precisa de uma autenticação que não possui. Peça ao administrador que a configure.',
  'task-unfinished': 'O agente parou antes de concluir a tarefa. Tente novamente com uma nova execução.',
  'task-interrupted-by-restart':
    'O serviço foi reiniciado durante esta execução. Verifique o que já foi feito e inicie uma nova execução.',
  'run-deadline':
    'A execução foi interrompida porque demorou mais do que o permitido. Tente novamente com uma tarefa menor.',
  'stream-deadline':
    'O tempo desta transmissão terminou, mas a execução continua. Conecte-se novamente a ela para continuar lendo.',
  'cancel-failed':
    'O agente não confirmou o cancelamento e pode ainda estar trabalhando. Tente cancelar novamente.',
  'state-not-saved':
    'Não foi possível salvar o estado da execução, e ela foi interrompida. Tente novamente mais tarde.',
  cancelled: 'A execução foi cancelada. Envie uma nova mensagem para continuar.',
  'server-stopping-run':
    'O serviço está sendo encerrado e finalizou esta execução. Inicie uma nova execução em instantes.',
  'reader-too-slow':
    'Os eventos não foram lidos com rapidez suficiente, e a conexão foi encerrada. Conecte-se novamente e leia mais rápido.',

  'state-unreadable':
    'Não é possível ler o estado salvo desta thread. Tente novamente mais tarde ou inicie uma nova thread.',
  'state-not-writable': 'Não é possível salvar o estado desta thread no momento. Tente novamente mais tarde.',
  'identity-unavailable': 'No momento não é possível verificar as credenciais. Tente novamente em instantes.',
  'server-starting': 'O serviço ainda está iniciando. Tente novamente em instantes.',
  'server-draining':
    'O serviço está sendo encerrado e não aceita novas solicitações. Tente novamente em instantes.',
  internal: 'Ocorreu um problema no serviço. Tente novamente; se persistir, avise o administrador.',
};
