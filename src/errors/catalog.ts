/**
 * The one list of what can go wrong. A *fault* is a cause that a caller can be told (`workspace-outside-roots`); its
 * *code* is the word that the iac-code AG-UI interface uses for it (`INVALID_INPUT`); a code has its numbers for both
 * doors. The sentence for a fault stands in `language/texts`, in every language.
 *
 * Sources: error table of the AgentCore AG-UI protocol contract, error table of the iac-code AG-UI reference.
 */

/** The error codes of the AgentCore AG-UI contract that a container can produce. */
export type AgentCoreCode =
  | 'UNAUTHORIZED'
  | 'ACCESS_DENIED'
  | 'VALIDATION_ERROR'
  | 'RATE_LIMIT_EXCEEDED'
  | 'SESSION_BUSY'
  | 'SERVICE_QUOTA_EXCEEDED'
  | 'AGENT_ERROR'
  | 'INTERNAL_ERROR'
  | 'CANCELLED';

/** `never`: the same request can't succeed. `later`: it may succeed unchanged. `corrected`: with other content. */
export type Retry = 'never' | 'later' | 'corrected';

export interface CodeRow {
  /** HTTP status on the iac-code door when no stream has begun. */
  readonly status: number;
  readonly agentCore: { readonly code: AgentCoreCode; readonly status: number };
  readonly retry: Retry;
  /** WebSocket close code, where the fault ends the socket and not just the run. */
  readonly close?: number;
}

const validation = { code: 'VALIDATION_ERROR', status: 400 } as const;
const agent = { code: 'AGENT_ERROR', status: 200 } as const;
const internal = { code: 'INTERNAL_ERROR', status: 500 } as const;
const busy = { code: 'SESSION_BUSY', status: 409 } as const;

export const codes = {
  UNAUTHORIZED: {
    status: 401,
    agentCore: { code: 'UNAUTHORIZED', status: 401 },
    retry: 'corrected',
    close: 1008,
  },
  ACCESS_DENIED: {
    status: 403,
    agentCore: { code: 'ACCESS_DENIED', status: 403 },
    retry: 'never',
    close: 1008,
  },
  THREAD_BINDING_CONFLICT: { status: 409, agentCore: { code: 'ACCESS_DENIED', status: 403 }, retry: 'never' },
  INVALID_JSON: { status: 400, agentCore: validation, retry: 'corrected', close: 1007 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, agentCore: validation, retry: 'corrected', close: 1003 },
  REQUEST_TOO_LARGE: { status: 413, agentCore: validation, retry: 'corrected', close: 1009 },
  REQUEST_TIMEOUT: { status: 408, agentCore: validation, retry: 'later' },
  INVALID_INPUT: { status: 400, agentCore: validation, retry: 'corrected' },
  NOT_FOUND: { status: 404, agentCore: { code: 'VALIDATION_ERROR', status: 404 }, retry: 'never' },
  UPGRADE_REQUIRED: { status: 426, agentCore: { code: 'VALIDATION_ERROR', status: 426 }, retry: 'never' },
  METHOD_NOT_ALLOWED: { status: 405, agentCore: { code: 'VALIDATION_ERROR', status: 405 }, retry: 'never' },
  THREAD_BUSY: { status: 409, agentCore: busy, retry: 'later' },
  DUPLICATE_RUN_ID: { status: 409, agentCore: busy, retry: 'never' },
  RUN_ID_CONFLICT: { status: 409, agentCore: busy, retry: 'corrected' },
  RESUME_REQUIRED: { status: 409, agentCore: validation, retry: 'corrected' },
  INCOMPLETE_RESUME: { status: 409, agentCore: validation, retry: 'corrected' },
  UNKNOWN_INTERRUPT: { status: 409, agentCore: validation, retry: 'corrected' },
  RESUME_PAYLOAD_INVALID: { status: 400, agentCore: validation, retry: 'corrected' },
  RESUME_ALREADY_APPLIED: { status: 409, agentCore: validation, retry: 'never' },
  EXECUTION_EXPIRED: { status: 409, agentCore: validation, retry: 'never' },
  EXECUTION_LOST: { status: 409, agentCore: validation, retry: 'never' },
  EXECUTION_NOT_FOUND: { status: 404, agentCore: validation, retry: 'never' },
  RATE_LIMITED: {
    status: 429,
    agentCore: { code: 'RATE_LIMIT_EXCEEDED', status: 429 },
    retry: 'later',
    close: 1008,
  },
  QUOTA_EXCEEDED: {
    status: 429,
    agentCore: { code: 'SERVICE_QUOTA_EXCEEDED', status: 429 },
    retry: 'later',
    close: 1008,
  },
  A2A_UNAVAILABLE: { status: 502, agentCore: agent, retry: 'later' },
  A2A_PROTOCOL_ERROR: { status: 502, agentCore: agent, retry: 'never' },
  STREAM_DEADLINE: { status: 504, agentCore: agent, retry: 'later' },
  A2A_EXECUTION_FAILED: { status: 502, agentCore: agent, retry: 'later' },
  STATE_PERSISTENCE_FAILED: { status: 500, agentCore: agent, retry: 'later' },
  CANCELLED: { status: 409, agentCore: { code: 'CANCELLED', status: 200 }, retry: 'later' },
  STATE_UNAVAILABLE: { status: 503, agentCore: internal, retry: 'later' },
  INTERNAL_ERROR: { status: 500, agentCore: internal, retry: 'later', close: 1011 },
  NOT_READY: { status: 503, agentCore: { code: 'INTERNAL_ERROR', status: 503 }, retry: 'later', close: 1001 },
} as const satisfies Record<string, CodeRow>;

/** The word a caller can switch on; on the AgentCore door it rides in the event's vendor metadata as `fault`. */
export type FaultCode = keyof typeof codes;

/** Every cause that a caller can be told, and its code. `{…}` members are filled into the sentence. */
export const faults = {
  'credentials-missing': 'UNAUTHORIZED',
  'credentials-invalid': 'UNAUTHORIZED',
  'access-denied': 'ACCESS_DENIED',
  'thread-of-another-caller': 'THREAD_BINDING_CONFLICT',
  'thread-in-another-workspace': 'THREAD_BINDING_CONFLICT',

  'media-type-unsupported': 'UNSUPPORTED_MEDIA_TYPE',
  'accept-unsupported': 'INVALID_INPUT',
  'body-too-large': 'REQUEST_TOO_LARGE',
  'body-stalled': 'REQUEST_TIMEOUT',
  'head-too-large': 'REQUEST_TOO_LARGE',
  'head-malformed': 'INVALID_INPUT',
  'body-empty': 'INVALID_JSON',
  'body-not-utf8': 'INVALID_JSON',
  'body-not-json': 'INVALID_JSON',
  'body-too-deep': 'INVALID_JSON',
  'body-forbidden-key': 'INVALID_JSON',
  'body-not-an-object': 'INVALID_INPUT',
  'path-unknown': 'NOT_FOUND',
  'method-not-allowed': 'METHOD_NOT_ALLOWED',
  'upgrade-required': 'UPGRADE_REQUIRED',

  'envelope-invalid': 'INVALID_INPUT',
  'protocol-version-unsupported': 'INVALID_INPUT',
  'session-header-invalid': 'INVALID_INPUT',
  'session-header-missing': 'INVALID_INPUT',
  'control-unknown': 'INVALID_INPUT',
  'extension-missing': 'INVALID_INPUT',
  'extension-invalid': 'INVALID_INPUT',
  'workspace-not-absolute': 'INVALID_INPUT',
  'workspace-invalid': 'INVALID_INPUT',
  'workspace-outside-roots': 'INVALID_INPUT',
  'workspace-not-a-directory': 'INVALID_INPUT',
  'workspace-not-created': 'INVALID_INPUT',
  'tools-unsupported': 'INVALID_INPUT',
  'message-missing': 'INVALID_INPUT',
  'content-unsupported': 'INVALID_INPUT',
  'media-remote': 'INVALID_INPUT',
  'media-type-not-an-image': 'INVALID_INPUT',
  'media-not-base64': 'INVALID_INPUT',
  'media-too-large': 'INVALID_INPUT',
  'media-too-large-together': 'INVALID_INPUT',
  'media-undecodable': 'INVALID_INPUT',

  'thread-busy': 'THREAD_BUSY',
  'run-id-used': 'DUPLICATE_RUN_ID',
  'run-id-conflict': 'RUN_ID_CONFLICT',
  'resume-required': 'RESUME_REQUIRED',
  'resume-incomplete': 'INCOMPLETE_RESUME',
  'resume-duplicate-entry': 'INCOMPLETE_RESUME',
  'interrupt-unknown': 'UNKNOWN_INTERRUPT',
  'payload-missing': 'RESUME_PAYLOAD_INVALID',
  'payload-invalid': 'RESUME_PAYLOAD_INVALID',
  'payload-empty': 'RESUME_PAYLOAD_INVALID',
  'resume-already-applied': 'RESUME_ALREADY_APPLIED',
  'execution-expired': 'EXECUTION_EXPIRED',
  'execution-lost': 'EXECUTION_LOST',
  'execution-mismatch': 'EXECUTION_LOST',
  'session-not-restorable': 'EXECUTION_LOST',
  'execution-not-found': 'EXECUTION_NOT_FOUND',
  'run-not-found': 'EXECUTION_NOT_FOUND',

  'too-many-requests': 'RATE_LIMITED',
  'too-many-runs': 'QUOTA_EXCEEDED',
  'too-many-sockets': 'QUOTA_EXCEEDED',
  'too-many-sessions': 'QUOTA_EXCEEDED',
  'too-many-threads': 'QUOTA_EXCEEDED',
  'thread-too-large': 'QUOTA_EXCEEDED',

  'kernel-unavailable': 'A2A_UNAVAILABLE',
  'kernel-refused': 'A2A_UNAVAILABLE',
  'kernel-protocol': 'A2A_PROTOCOL_ERROR',
  'kernel-identity-changed': 'A2A_PROTOCOL_ERROR',
  'kernel-version': 'A2A_PROTOCOL_ERROR',
  'task-failed': 'A2A_EXECUTION_FAILED',
  'task-rejected': 'A2A_EXECUTION_FAILED',
  'task-needs-authentication': 'A2A_EXECUTION_FAILED',
  'task-unfinished': 'A2A_EXECUTION_FAILED',
  'task-interrupted-by-restart': 'A2A_EXECUTION_FAILED',
  'run-deadline': 'A2A_EXECUTION_FAILED',
  'stream-deadline': 'STREAM_DEADLINE',
  'cancel-failed': 'A2A_UNAVAILABLE',
  'state-not-saved': 'STATE_PERSISTENCE_FAILED',
  cancelled: 'CANCELLED',
  'server-stopping-run': 'CANCELLED',
  'reader-too-slow': 'QUOTA_EXCEEDED',

  'state-unreadable': 'STATE_UNAVAILABLE',
  'state-not-writable': 'STATE_UNAVAILABLE',
  'identity-unavailable': 'NOT_READY',
  'server-starting': 'NOT_READY',
  'server-draining': 'NOT_READY',
  internal: 'INTERNAL_ERROR',
} as const satisfies Record<string, FaultCode>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as readonly FaultName[];
