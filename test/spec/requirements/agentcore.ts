/** AG-UI protocol contract of Amazon Bedrock AgentCore Runtime, section by section. */
import { agentCore, container, section, ws } from './requirement.ts';

const contract = (title: string) => `AgentCore AG-UI protocol contract, ${title}`;

export const agentCoreRequirements = {
  ...section(contract('Protocol implementation requirements'), {
    'transport.sse': [agentCore, 'Server-sent events stream one way, from server to client'],
    'transport.websocket': [ws, 'A WebSocket carries both ways in real time'],
    'session.header-isolates': [
      container,
      'The platform adds X-Amzn-Bedrock-AgentCore-Runtime-Session-Id, and what belongs to one session is kept from another',
    ],
    'session.header-malformed': [container, 'A session id that the platform could not have sent is refused'],
  }),
  ...section(contract('Container requirements'), {
    'container.host': [container, 'The container listens on 0.0.0.0'],
    'container.port': [container, 'The container listens on port 8080'],
    'container.arm64': [container, 'The container image is built for ARM64'],
  }),
  ...section(contract('Path requirements, /invocations'), {
    'invocations.post': [agentCore, 'POST /invocations takes a request and streams the answer as SSE'],
    'invocations.raw-payload': [
      agentCore,
      'The platform hands the payload over unvalidated, so the container decides what is required and how faults are told',
    ],
    'invocations.minimal-example': [agentCore, 'The RunAgentInput of the example runs as it stands'],
    'invocations.forwarded-props-empty': [container, 'An empty forwardedProps is enough for a run'],
    'invocations.content-type': [agentCore, 'The answer has Content-Type text/event-stream'],
    'invocations.data-records': [agentCore, 'Each event is one data: record that holds one JSON object'],
    'invocations.run-started-first': [
      container,
      'RUN_STARTED comes first, with the threadId and runId of the request',
    ],
    'invocations.run-finished-last': [container, 'RUN_FINISHED comes last, with the same threadId and runId'],
    'invocations.text-messages': [
      container,
      'The agent’s text comes as TEXT_MESSAGE_START with role assistant, TEXT_MESSAGE_CONTENT deltas and TEXT_MESSAGE_END',
    ],
    'invocations.streaming': [
      container,
      'Chat answers are streamed while they are made, not sent when all is done',
    ],
    'invocations.thinking': [container, 'Status and thinking steps of the agent are streamed'],
    'invocations.tool-calls': [
      container,
      'Tool calls are streamed as TOOL_CALL_START with name and parent message',
    ],
    'invocations.tool-results': [container, 'Tool results are streamed as TOOL_CALL_RESULT of the same call'],
  }),
  ...section(contract('Path requirements, /ws'), {
    'ws.path': [ws, '/ws upgrades to a WebSocket'],
    'ws.conversation': [ws, 'A client and the agent talk in real time, with the same events as by POST'],
    'ws.user-interrupts': [ws, 'The user can interrupt a run that goes on'],
    'ws.multi-turn': [ws, 'Several turns run over one connection that stays open'],
    'ws.bad-message': [ws, 'A message that is wrong is told as RUN_ERROR and leaves the connection usable'],
  }),
  ...section(contract('Path requirements, /ping'), {
    'ping.get': [agentCore, 'GET /ping says whether the agent works and can take requests'],
    'ping.json': [agentCore, 'The answer has Content-Type application/json'],
    'ping.status-code': [agentCore, 'The status code is 200 when healthy and a fitting error code when not'],
    'ping.status': [agentCore, 'status is there and is Healthy or HealthyBusy'],
    'ping.busy': [container, 'While work goes on status is HealthyBusy, which keeps the session alive'],
    'ping.last-update': [
      agentCore,
      'time_of_last_update is optional and is the Unix second of the last change of status',
    ],
    'ping.last-update-still': [
      agentCore,
      'time_of_last_update does not move from ping to ping while nothing changes',
    ],
  }),
  ...section(contract('Authentication requirements'), {
    'auth.bearer': [
      container,
      'A caller authenticates by OAuth 2.0 bearer token in Authorization beside the session header',
    ],
    'auth.sigv4': [container, 'Programmatic access by AWS SigV4 works too'],
  }),
  ...section(contract('Error handling'), {
    'errors.always-sse': [
      agentCore,
      'Every error is one RUN_ERROR event with Content-Type text/event-stream, before and during streaming alike',
    ],
    'errors.connection-level-status': [
      agentCore,
      'An error before the agent runs carries the true HTTP status of the error',
    ],
    'errors.runtime-status': [
      agentCore,
      'An error while the agent runs is told in the stream, with HTTP status 200',
    ],
    'errors.unauthorized': [agentCore, 'UNAUTHORIZED is 401: Authentication required or invalid credentials'],
    'errors.access-denied': [
      container,
      'ACCESS_DENIED is 403: Insufficient permissions for requested operation',
    ],
    'errors.validation': [container, 'VALIDATION_ERROR is 400: Invalid request data or parameters'],
    'errors.rate-limit': [container, 'RATE_LIMIT_EXCEEDED is 429: Too many requests from client'],
    'errors.conflict': [
      container,
      'SESSION_BUSY is 409 for what exists already: Resource conflict - Resource already exists',
    ],
    'errors.session-busy': [
      container,
      'SESSION_BUSY is 409 and can be tried again while a session is busy: Session operation in progress, please retry',
    ],
    'errors.session-busy-told-apart': [
      container,
      'The two kinds of SESSION_BUSY are told apart by their message',
    ],
    'errors.service-quota': [container, 'SERVICE_QUOTA_EXCEEDED is 429: Service quota exceeded'],
    'errors.agent': [
      container,
      'AGENT_ERROR is only for a failure while the agent runs, with HTTP status 200',
    ],
    'errors.internal': [container, 'INTERNAL_ERROR is 500 for any other fault'],
    'errors.no-internals': [container, 'An error never shows the raw text of an exception'],
    'errors.request-id': [agentCore, 'An error response carries x-amzn-requestid'],
    'errors.run-error-members': [container, 'RUN_ERROR has a code and a message'],
  }),
  ...section(contract('OAuth authentication responses'), {
    'oauth.status': [
      agentCore,
      'An agent with OAuth answers an authentication error with the standard HTTP status',
    ],
    'oauth.challenge': [
      agentCore,
      'A 401 carries WWW-Authenticate: Bearer resource_metadata with the address of the protected resource metadata',
    ],
    'oauth.event': [agentCore, 'A 401 is text/event-stream with RUN_ERROR UNAUTHORIZED and x-amzn-requestid'],
    'oauth.sigv4-no-challenge': [
      agentCore,
      'An agent with SigV4 answers 403 ACCESS_DENIED and sends no WWW-Authenticate',
    ],
  }),
};
