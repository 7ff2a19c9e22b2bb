/** English, the source of the other languages. Placeholders and brackets: see `../sentence.ts`. */
import type { FaultName } from '../../errors/catalog.ts';

export const en: Readonly<Record<FaultName, string>> = {
  'credentials-missing': 'Credentials are missing. Send a bearer token in the Authorization header.',
  'credentials-invalid': 'The credentials are not valid or have expired. Send a valid bearer token.',
  'access-denied':
    'These credentials do not permit this operation. Use others, or ask the operator for access.',
  'thread-of-another-caller':
    'This thread is not available to this caller. Use the credentials and userId of its first request, or another threadId.',
  'thread-in-another-workspace':
    'This thread is bound to another workspace. Send the cwd of its first request, or start a new thread.',

  'media-type-unsupported':
    'The media type of the request body is not supported[: “{given}”]. Send application/json.',
  'accept-unsupported':
    'The answer is only available as text/event-stream. Allow this type in the Accept header.',
  'body-too-large': 'The request body is too large. Send a smaller one[, at most {limit} bytes].',
  'body-stalled': 'The request body stopped arriving. Send the request again.',
  'head-too-large': 'The headers of the request are too large. Send fewer or shorter ones.',
  'head-malformed': 'This is not an HTTP request that can be read. Check the client.',
  'body-empty': 'The request body is empty. Send a JSON object.',
  'body-not-utf8': 'The request body is not UTF-8 text. Encode the JSON as UTF-8.',
  'body-not-json': 'The request body is not valid JSON. Correct it and send it again.',
  'body-too-deep': 'The JSON of the request is nested too deeply. Nest it less[, at most {limit} levels].',
  'body-forbidden-key':
    'The request body holds a member name that is not allowed[: “{key}”]. Remove this member.',
  'body-not-an-object': 'The request body must be a JSON object. Send an object.',
  'path-unknown': 'There is nothing at this address. Check the path.',
  'upgrade-required': 'This address speaks WebSocket only. Ask for an upgrade to it.',
  'method-not-allowed': 'This address does not accept this method. Use an allowed one[: {allowed}].',

  'envelope-invalid': 'The run input is not valid[ at {where}][: {problem}]. Correct it and send it again.',
  'protocol-version-unsupported':
    'The AG-UI protocol version is not supported[: “{given}”]. Send a supported protocolVersion[: {supported}].',
  'session-header-invalid':
    'The session id is not valid. Send 33 to 256 characters: letters, digits, - and _, starting with a letter or digit.',
  'session-header-missing':
    'The session id is missing. Send it in the X-Amzn-Bedrock-AgentCore-Runtime-Session-Id header.',
  'control-unknown': 'This control message is not known[: “{given}”]. Send cancel, attach or ping.',
  'extension-missing':
    'forwardedProps.iacCode is required here. Send it with schemaVersion, rosInvocationId and cwd.',
  'extension-invalid':
    'forwardedProps.iacCode is not valid[ at {where}][: {problem}]. Correct it and send the request again.',
  'workspace-not-absolute': 'The workspace in cwd is not an absolute path. Send the full path of a folder.',
  'workspace-invalid':
    'The workspace in cwd is not a usable path. Send the path of an existing or new folder.',
  'workspace-outside-roots':
    'The workspace in cwd lies outside the folders allowed here. Choose one inside them, or ask the operator to allow it.',
  'workspace-not-a-directory': 'The workspace in cwd is not a folder. Send the path of a folder.',
  'workspace-not-created':
    'The workspace folder could not be created. Choose another one, or ask the operator to check permissions and free space.',
  'tools-unsupported': 'The agent cannot use client tools. Send an empty tools list.',
  'message-missing': 'There is no user message to answer. Add a message with the role user.',
  'content-unsupported':
    'The message holds content of an unsupported type[: {type}]. Send text or inline images only.',
  'media-remote': 'Media at an address is not fetched. Send the image inline as base64 data.',
  'media-type-not-an-image':
    'The media type of an attachment is not supported[: “{given}”]. Send a PNG, JPEG, GIF or WebP image.',
  'media-not-base64': 'The data of an image is not valid base64. Encode it as padded base64 without spaces.',
  'media-too-large': 'An image is too large. Send a smaller one[, at most {limit} bytes].',
  'media-too-large-together':
    'The images of the message are too large together. Send fewer or smaller ones[, at most {limit} bytes in total].',
  'media-undecodable':
    'An image could not be read. Check that the file is intact and matches its media type.',

  'thread-busy': 'The thread is already running a request. Wait until it ends, then try again.',
  'run-id-used': 'This request was already sent with this runId. Use a new runId for a new run.',
  'run-id-conflict': 'This runId was already used for another request. Use a new runId.',
  'resume-required':
    'The thread waits for answers to open interrupts. Answer them in resume before sending a new message.',
  'resume-incomplete':
    'Not every open interrupt has an answer[ (missing: {missing})]. Answer each of them exactly once.',
  'resume-duplicate-entry': 'An interrupt is answered more than once. Answer each of them exactly once.',
  'interrupt-unknown':
    'An answer names an interrupt that this thread does not know[: “{id}”]. Answer only the open ones.',
  'payload-missing':
    'A resolved answer has no payload. Add one that fits the responseSchema of the interrupt.',
  'payload-invalid':
    'The payload of an answer does not fit its responseSchema[ at {where}][: {problem}]. Correct it and send it with a new runId.',
  'payload-empty': 'The payload holds no answer. Fill it in and send it with a new runId.',
  'resume-already-applied':
    'This answer was accepted before and is not applied again. Send a new message to go on.',
  'execution-expired':
    'The interrupt has expired and can no longer be answered. Send a new message to start again.',
  'execution-lost': 'There is no execution left to resume. Send a new message to start again.',
  'execution-mismatch':
    'The answer does not belong to the interrupted execution. Send the rosInvocationId of the interrupted run.',
  'session-not-restorable':
    'The session of the agent could not be restored. Send a new message to start again.',
  'execution-not-found': 'This execution is not known. Check executionId, threadId and rosInvocationId.',
  'run-not-found': 'This run is not known or no longer kept. Check threadId and runId.',

  'too-many-requests': 'Too many requests in a short time. Wait[ {seconds} s] before trying again.',
  'too-many-runs': 'The limit of simultaneous runs is reached[ ({limit})]. Try again when a run has ended.',
  'too-many-sockets': 'The limit of open connections is reached[ ({limit})]. Close one, or try again later.',
  'too-many-sessions':
    'The limit of sessions is reached[ ({limit})]. Use an existing session, or try again later.',
  'too-many-threads':
    'The limit of threads is reached[ ({limit})]. Use an existing thread, or try again later.',
  'thread-too-large': 'This thread has grown beyond what can be stored. Start a new thread.',

  'kernel-unavailable': 'The agent cannot be reached right now. Try again in a moment.',
  'kernel-refused':
    'The agent did not accept the request. Try again later; if it persists, tell the operator.',
  'kernel-protocol': 'The agent gave an answer that could not be understood. Please tell the operator.',
  'kernel-identity-changed':
    'The agent answered for another task or session, so the run was stopped. Send a new message to start again.',
  'kernel-version':
    'The agent speaks an unsupported version of A2A[ (offered: {offered}, needed: {needed})]. Ask the operator to update it.',
  'task-failed': 'The agent could not complete the task. Try again with a new run.',
  'task-rejected': 'The agent declined the task. Change the request, then try again with a new run.',
  'task-needs-authentication':
    'The agent needs an authentication that it does not have. Ask the operator to set it up.',
  'task-unfinished': 'The agent stopped before the task was complete. Try again with a new run.',
  'task-interrupted-by-restart':
    'The service restarted while this run was in progress. Check what was done, then start a new run.',
  'run-deadline': 'The run was stopped because it took longer than allowed. Try again with a smaller task.',
  'stream-deadline': 'The time of this stream is over, but the run goes on. Attach to it to read on.',
  'cancel-failed':
    'The agent did not confirm the cancellation and may still be working. Try to cancel again.',
  'state-not-saved': 'The state of the run could not be saved, so the run was stopped. Try again later.',
  cancelled: 'The run was cancelled. Send a new message to go on.',
  'server-stopping-run': 'The service is shutting down and has ended this run. Start a new run in a moment.',
  'reader-too-slow':
    'The events were not read fast enough, so the connection was ended. Connect again and read faster.',

  'state-unreadable':
    'The stored state of this thread cannot be read. Try again later, or start a new thread.',
  'state-not-writable': 'The state of this thread cannot be saved right now. Try again later.',
  'identity-unavailable': 'The credentials can not be checked at the moment. Try again shortly.',
  'server-starting': 'The service is still starting. Try again in a moment.',
  'server-draining': 'The service is shutting down and takes no new requests. Try again in a moment.',
  internal: 'Something went wrong inside the service. Try again; if it persists, tell the operator.',
};
