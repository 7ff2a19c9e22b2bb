/** What an operator does about each fault, for docs/operations.md. The compiler sees to it that none is forgotten. */
import type { FaultCode, FaultName } from '../../src/errors/catalog.ts';

/** By code; a fault that needs another word has it below. */
export const remedies: Readonly<Record<FaultCode, string>> = {
  UNAUTHORIZED:
    'The caller’s: it has no token, or an old one. Many at once: look at the token, its issuer and the clock (`doctor`).',
  ACCESS_DENIED: 'The caller’s. From browsers: add the page’s origin to `AGUI_CORS_ORIGINS`.',
  THREAD_BINDING_CONFLICT:
    'The caller’s: a thread belongs to who began it. Many at once: someone tries ids of others.',
  INVALID_JSON: 'The caller’s.',
  UNSUPPORTED_MEDIA_TYPE: 'The caller’s: `Content-Type: application/json`.',
  REQUEST_TOO_LARGE: 'The caller’s, or raise `AGUI_MAX_BODY_BYTES`.',
  REQUEST_TIMEOUT: 'The network’s between caller and server: the body stopped coming.',
  INVALID_INPUT: 'The caller’s: the message says which member is wrong.',
  NOT_FOUND: 'The caller’s: a wrong path, or a probe of strangers.',
  UPGRADE_REQUIRED: 'The caller’s; or a proxy between that passes no upgrades on.',
  METHOD_NOT_ALLOWED: 'The caller’s.',
  THREAD_BUSY:
    'None: the caller tries again when the thread’s run is over. If it never is, see `AGUI_RUN_DEADLINE_S`.',
  DUPLICATE_RUN_ID: 'None: the request had arrived before. The caller can attach to the run.',
  RUN_ID_CONFLICT: 'The caller’s: every run needs a new id.',
  RESUME_REQUIRED: 'The caller’s: it has to answer, or cancel, what waits.',
  INCOMPLETE_RESUME: 'The caller’s: all open interrupts are answered at once.',
  UNKNOWN_INTERRUPT: 'The caller’s: it shows an old conversation.',
  RESUME_PAYLOAD_INVALID: 'The caller’s: the answer does not fit the interrupt’s schema.',
  RESUME_ALREADY_APPLIED: 'None: the answer was taken before.',
  EXECUTION_EXPIRED: 'Raise `AGUI_INTERRUPT_TTL_S` if people need longer to answer.',
  EXECUTION_LOST:
    'Look for a restart of the agent, or for storage that was not kept over a restart of the session.',
  EXECUTION_NOT_FOUND: 'None, or raise `AGUI_DETACH_GRACE_S` if clients come back later than that.',
  RATE_LIMITED: 'The caller’s: it waits as `Retry-After` says.',
  QUOTA_EXCEEDED:
    'Raise `AGUI_MAX_RUNS` or `AGUI_MAX_SOCKETS` if memory and agent allow it, or add replicas.',
  A2A_UNAVAILABLE: 'Look at the agent: `agentcore-agui doctor`, its own log, `kernel given up` in ours.',
  A2A_PROTOCOL_ERROR: 'The agent does not keep to A2A 1.0: its version, or what stands between it and us.',
  STREAM_DEADLINE: 'None: the client attaches again. Ours does so by itself.',
  A2A_EXECUTION_FAILED:
    'Look at the agent’s own log, by the time and the `executionId` of the line `run ended`.',
  STATE_PERSISTENCE_FAILED:
    'Look at the storage: space, permission, mount (`doctor`). The line `run failed` has the cause.',
  CANCELLED: 'None: somebody cancelled, left, or the server stopped.',
  STATE_UNAVAILABLE:
    'Look at the storage: space, permission, mount (`doctor`). The line `request refused` has the cause.',
  INTERNAL_ERROR: 'A mistake of ours: report the line `request failed` with its cause.',
  NOT_READY:
    'None while it starts or stops. If it stays, the process starts again and again: read the first lines of its log.',
};

export const particular: Readonly<Partial<Record<FaultName, string>>> = {
  'session-header-missing':
    'The caller’s, or set `AGUI_REQUIRE_SESSION=false` where there is no platform in front.',
  'workspace-outside-roots': 'The caller’s, or add the folder to `AGUI_ALLOWED_CWDS`.',
  'workspace-not-created': 'Make `AGUI_WORKSPACE_DIR` writable (`doctor`).',
  'tools-unsupported': 'The caller’s: the agent behind this server takes no tools from clients.',
  'run-deadline': 'Look at what the agent does for so long; raise `AGUI_RUN_DEADLINE_S` if it should.',
  'task-needs-authentication': 'Give the agent its own credentials: it asked for some.',
  'task-interrupted-by-restart': 'Find out why the agent, or this server, was started anew.',
  'reader-too-slow': 'The caller’s, or the network’s: it did not take its events.',
  'kernel-refused': 'Check `AGUI_KERNEL_TOKEN`: the agent knows us, and refuses.',
  'server-stopping-run': 'None: a deployment or an idle session. The next message goes on.',
};
