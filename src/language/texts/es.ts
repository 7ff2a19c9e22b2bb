/** Spanish. Placeholders and brackets: see `../sentence.ts`. */
import type { FaultName } from '../../errors/catalog.ts';

export const es: Readonly<Record<FaultName, string>> = {
  'credentials-missing':
    'Faltan las credenciales. Envíe un token de portador en el encabezado Authorization.',
  'credentials-invalid': 'Las credenciales no son válidas o han caducado. Envíe un token de portador válido.',
  'access-denied':
    'Estas credenciales no permiten esta operación. Use otras o solicite acceso al administrador.',
  'thread-of-another-caller':
    'Este hilo no está disponible para este cliente. Use las credenciales y el userId de su primera solicitud, u otro threadId.',
  'thread-in-another-workspace':
    'Este hilo está vinculado a otro espacio de trabajo. Envíe el cwd de su primera solicitud o inicie un hilo nuevo.',

  'media-type-unsupported':
    'El tipo de contenido del cuerpo de la solicitud no es compatible[: «{given}»]. Envíe application/json.',
  'accept-unsupported':
    'La respuesta solo está disponible como text/event-stream. Admita este tipo en el encabezado Accept.',
  'body-too-large':
    'El cuerpo de la solicitud es demasiado grande. Envíe uno más pequeño[, de {limit} bytes como máximo].',
  'body-stalled': 'El cuerpo de la solicitud dejó de llegar. Vuelva a enviar la solicitud.',
  'head-too-large': 'Las cabeceras de la solicitud son demasiado grandes. Envíe menos o más cortas.',
  'head-malformed': 'Esto no es una solicitud HTTP legible. Compruebe el cliente.',
  'body-empty': 'El cuerpo de la solicitud está vacío. Envíe un objeto JSON.',
  'body-not-utf8': 'El cuerpo de la solicitud no es texto UTF-8. Codifique el JSON en UTF-8.',
  'body-not-json': 'El cuerpo de la solicitud no es JSON válido. Corríjalo y vuelva a enviarlo.',
  'body-too-deep':
    'El JSON de la solicitud tiene demasiados niveles de anidamiento. Redúzcalos[ a {limit} como máximo].',
  'body-forbidden-key':
    'El cuerpo de la solicitud contiene un nombre de miembro no permitido[: «{key}»]. Elimine ese miembro.',
  'body-not-an-object': 'El cuerpo de la solicitud debe ser un objeto JSON. Envíe un objeto.',
  'path-unknown': 'No hay nada en esta dirección. Compruebe la ruta.',
  'upgrade-required': 'Esta dirección solo habla WebSocket. Solicite el cambio (Upgrade) a ese protocolo.',
  'method-not-allowed': 'Esta dirección no acepta este método. Use uno permitido[: {allowed}].',

  'envelope-invalid':
    'La entrada de la ejecución no es válida[ en {where}][: «{problem}»]. Corríjala y vuelva a enviarla.',
  'protocol-version-unsupported':
    'La versión del protocolo AG-UI no es compatible[: «{given}»]. Envíe un protocolVersion compatible[: {supported}].',
  'session-header-invalid':
    'El identificador de sesión no es válido. Envíe de 33 a 256 caracteres: letras, dígitos, - y _, con una letra o un dígito al principio.',
  'session-header-missing':
    'Falta el identificador de sesión. Envíelo en el encabezado X-Amzn-Bedrock-AgentCore-Runtime-Session-Id.',
  'control-unknown': 'Este mensaje de control no se reconoce[: «{given}»]. Envíe cancel, attach o ping.',
  'extension-missing':
    'Aquí se requiere forwardedProps.iacCode. Envíelo con schemaVersion, rosInvocationId y cwd.',
  'extension-invalid':
    'forwardedProps.iacCode no es válido[ en {where}][: «{problem}»]. Corríjalo y vuelva a enviar la solicitud.',
  'workspace-not-absolute':
    'El espacio de trabajo de cwd no es una ruta absoluta. Envíe la ruta completa de una carpeta.',
  'workspace-invalid':
    'El espacio de trabajo de cwd no es una ruta utilizable. Envíe la ruta de una carpeta existente o nueva.',
  'workspace-outside-roots':
    'El espacio de trabajo de cwd está fuera de las carpetas permitidas. Elija una dentro de ellas o pida al administrador que la autorice.',
  'workspace-not-a-directory':
    'El espacio de trabajo de cwd no es una carpeta. Envíe la ruta de una carpeta.',
  'workspace-not-created':
    'No se pudo crear la carpeta de trabajo. Elija otra o pida al administrador que revise los permisos y el espacio libre.',
  'tools-unsupported': 'El agente no puede usar herramientas del cliente. Envíe una lista tools vacía.',
  'message-missing': 'No hay ningún mensaje del usuario que responder. Añada un mensaje con el rol user.',
  'content-unsupported':
    'El mensaje contiene un tipo de contenido no compatible[: {type}]. Envíe solo texto o imágenes insertadas.',
  'media-remote':
    'No se descargan archivos desde una dirección. Envíe la imagen insertada como datos base64.',
  'media-type-not-an-image':
    'El tipo de un archivo adjunto no es compatible[: «{given}»]. Envíe una imagen PNG, JPEG, GIF o WebP.',
  'media-not-base64':
    'Los datos de una imagen no son base64 válido. Codifíquelos en base64 con relleno y sin espacios.',
  'media-too-large': 'Una imagen es demasiado grande. Envíe una más pequeña[, de {limit} bytes como máximo].',
  'media-too-large-together':
    'Las imágenes del mensaje son demasiado grandes en conjunto. Envíe menos o más pequeñas[, {limit} bytes en total como máximo].',
  'media-undecodable':
    'No se pudo leer una imagen. Compruebe que el archivo esté íntegro y coincida con su tipo.',

  'thread-busy': 'El hilo ya está atendiendo una solicitud. Espere a que termine y vuelva a intentarlo.',
  'run-id-used': 'Esta solicitud ya se envió con este runId. Use un runId nuevo para una ejecución nueva.',
  'run-id-conflict': 'Este runId ya se usó para otra solicitud. Use un runId nuevo.',
  'resume-required':
    'El hilo espera respuestas a interrupciones pendientes. Respóndalas en resume antes de enviar un mensaje nuevo.',
  'resume-incomplete':
    'Hay interrupciones pendientes sin respuesta[ (faltan: {missing})]. Responda a cada una exactamente una vez.',
  'resume-duplicate-entry':
    'Una interrupción tiene más de una respuesta. Responda a cada una exactamente una vez.',
  'interrupt-unknown':
    'Una respuesta menciona una interrupción desconocida en este hilo[: «{id}»]. Responda solo a las pendientes.',
  'payload-missing':
    'Una respuesta resolved no tiene payload. Añada uno conforme al responseSchema de la interrupción.',
  'payload-invalid':
    'El payload de una respuesta no se ajusta a su responseSchema[ en {where}][: «{problem}»]. Corríjalo y envíelo con un runId nuevo.',
  'payload-empty': 'El payload no contiene ninguna respuesta. Complételo y envíelo con un runId nuevo.',
  'resume-already-applied':
    'Esta respuesta ya se aceptó y no se aplica de nuevo. Envíe un mensaje nuevo para continuar.',
  'execution-expired':
    'La interrupción ha caducado y ya no se puede responder. Envíe un mensaje nuevo para empezar otra vez.',
  'execution-lost': 'Ya no hay ninguna ejecución que reanudar. Envíe un mensaje nuevo para empezar otra vez.',
  'execution-mismatch':
    'La respuesta no corresponde a la ejecución interrumpida. Envíe el rosInvocationId de esa ejecución.',
  'session-not-restorable':
    'No se pudo restaurar la sesión del agente. Envíe un mensaje nuevo para empezar otra vez.',
  'execution-not-found': 'No se conoce esta ejecución. Compruebe executionId, threadId y rosInvocationId.',
  'run-not-found': 'No se conoce esta ejecución o ya no se conserva. Compruebe threadId y runId.',

  'too-many-requests':
    'Demasiadas solicitudes en poco tiempo. Espere[ {seconds} s] antes de volver a intentarlo.',
  'too-many-runs':
    'Se alcanzó el límite de ejecuciones simultáneas[ ({limit})]. Vuelva a intentarlo cuando termine alguna.',
  'too-many-sockets':
    'Se alcanzó el límite de conexiones abiertas[ ({limit})]. Cierre una o vuelva a intentarlo más tarde.',
  'too-many-sessions':
    'Se alcanzó el límite de sesiones[ ({limit})]. Use una existente o vuelva a intentarlo más tarde.',
  'too-many-threads':
    'Se alcanzó el límite de hilos[ ({limit})]. Use uno existente o vuelva a intentarlo más tarde.',
  'thread-too-large': 'Este hilo ha crecido más de lo que se puede guardar. Empiece un hilo nuevo.',

  'kernel-unavailable':
    'No es posible contactar con el agente en este momento. Vuelva a intentarlo enseguida.',
  'kernel-refused':
    'El agente no aceptó la solicitud. Vuelva a intentarlo más tarde; si persiste, avise al administrador.',
  'kernel-protocol': 'El agente dio una respuesta que no se pudo interpretar. Avise al administrador.',
  'kernel-identity-changed':
    'El agente respondió sobre otra tarea o sesión, por lo que se detuvo la ejecución. Envíe un mensaje nuevo para empezar otra vez.',
  'kernel-version':
    'El agente usa una versión de A2A no compatible[ (ofrecida: {offered}, necesaria: {needed})]. Pida al administrador que lo actualice.',
  'task-failed': 'El agente no pudo completar la tarea. Vuelva a intentarlo con una ejecución nueva.',
  'task-rejected': 'El agente rechazó la tarea. Modifique la solicitud e inténtelo con una ejecución nueva.',
  'task-needs-authentication':
    'El agente necesita una autenticación de la que no dispone. Pida al administrador que la configure.',
  'task-unfinished':
    'El agente se detuvo antes de completar la tarea. Vuelva a intentarlo con una ejecución nueva.',
  'task-interrupted-by-restart':
    'El servicio se reinició durante esta ejecución. Compruebe lo que se hizo y luego inicie una ejecución nueva.',
  'run-deadline':
    'La ejecución se detuvo porque duró más de lo permitido. Vuelva a intentarlo con una tarea más pequeña.',
  'stream-deadline':
    'El tiempo de esta transmisión ha terminado, pero la ejecución continúa. Vuelva a conectarse a ella para seguir leyendo.',
  'cancel-failed':
    'El agente no confirmó la cancelación y puede seguir trabajando. Intente cancelar de nuevo.',
  'state-not-saved':
    'No se pudo guardar el estado de la ejecución, por lo que se detuvo. Vuelva a intentarlo más tarde.',
  cancelled: 'La ejecución se canceló. Envíe un mensaje nuevo para continuar.',
  'server-stopping-run':
    'El servicio se está cerrando y terminó esta ejecución. Inicie una ejecución nueva en unos instantes.',
  'reader-too-slow':
    'Los eventos no se leyeron con suficiente rapidez y se cerró la conexión. Conéctese de nuevo y lea más rápido.',

  'state-unreadable':
    'No se puede leer el estado guardado de este hilo. Vuelva a intentarlo más tarde o inicie un hilo nuevo.',
  'state-not-writable':
    'En este momento no se puede guardar el estado de este hilo. Vuelva a intentarlo más tarde.',
  'identity-unavailable':
    'Ahora mismo no se pueden comprobar las credenciales. Vuelva a intentarlo enseguida.',
  'server-starting': 'El servicio aún se está iniciando. Vuelva a intentarlo enseguida.',
  'server-draining':
    'El servicio se está cerrando y no acepta solicitudes nuevas. Vuelva a intentarlo en unos instantes.',
  internal:
    'Se produjo un problema en el servicio. Vuelva a intentarlo; si persiste, avise al administrador.',
};
