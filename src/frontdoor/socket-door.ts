/**
 * WebSocket connections: authorization and session before the upgrade is answered, the container's own upgrade next, the
 * caller's last, so that a refusal is always an HTTP answer in the platform's native form.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { bearerSubprotocol } from './authorize.ts';
import type { AdmittedCall, DataPlane } from './data-plane.ts';
import type { DoorAddress } from './door-address.ts';
import type { RuntimeConfig } from './door-config.ts';
import type { DoorLog } from './door-log.ts';
import { headersForContainer } from './header-filter.ts';
import { PlatformError, toPlatformError } from './platform-error.ts';
import { answerJson, refuse, requestIdAnswerHeader } from './refuse.ts';
import { closeCodes, relaySockets } from './relay-socket.ts';
import type { Session } from './session.ts';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export class SocketDoor {
  readonly #plane: DataPlane;
  readonly #log: DoorLog;
  readonly #servers = new Map<string, WebSocketServer>();

  constructor(plane: DataPlane, log: DoorLog) {
    this.#plane = plane;
    this.#log = log;
  }

  /** Never rejects. */
  async serve(upgrade: Upgrade): Promise<void> {
    const requestId = randomUUID();
    const { request, socket } = upgrade;
    // A caller that leaves while its container starts.
    socket.on('error', () => socket.destroy());
    try {
      const address = this.#plane.locate(request);
      if (address.operation !== 'InvokeAgentRuntimeWithWebSocketStream') {
        throw new PlatformError('ValidationException', 'this address is not for WebSocket connections');
      }
      const call = await this.#plane.admit(request, address, Buffer.alloc(0));
      const { fault } = call;
      if (fault?.kind === 'drop' && fault.after === 0) return void socket.destroy();
      if (fault?.kind === 'status') {
        this.#log('answered', { requestId, operation: address.operation, status: fault.status });
        return answerUpgrade(upgrade, requestId, (answer) =>
          answerJson(answer, fault.status, { message: 'fault on demand' }),
        );
      }
      await this.#join(upgrade, call, requestId);
      this.#log('upgraded', { requestId, operation: address.operation });
    } catch (thrown) {
      const error = toPlatformError(thrown);
      answerUpgrade(upgrade, requestId, (answer) => refuse(answer, error, 'native'));
      this.#log('refused', { requestId, exception: error.exception, message: error.message });
    }
  }

  close(): void {
    for (const server of this.#servers.values()) {
      for (const socket of server.clients) socket.terminate();
      server.close();
    }
  }

  async #join(upgrade: Upgrade, call: AdmittedCall, requestId: string): Promise<void> {
    const { address, desk, sessionId, caller, fault } = call;
    const { runtime } = address;
    const session = await desk.sessions.acquire(sessionId);
    const rules = { allowlist: runtime.requestHeaderAllowlist, isJwt: desk.tokens !== undefined };
    const { headers } = upgrade.request;
    const facts = { headers, query: address.query, sessionId, requestId, userId: caller.userId };
    const container = await openContainerSocket(session, runtime, headersForContainer(facts, rules));
    if (upgrade.socket.destroyed) return container.close(closeCodes.goingAway);
    const server = this.#serverFor(address, desk.tokens !== undefined);
    let isJoined = false;
    server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (callerSocket) => {
      isJoined = true;
      const dropAfter = fault?.kind === 'drop' ? fault.after : undefined;
      relaySockets({ caller: callerSocket, container, runtime, session, dropAfter });
      container.resume();
    });
    // A handshake that is not one has been refused by then, at once.
    if (!isJoined) container.terminate();
  }

  #serverFor({ runtime }: DoorAddress, isJwt: boolean): WebSocketServer {
    const known = this.#servers.get(runtime.arn);
    if (known !== undefined) return known;
    const server = new WebSocketServer({
      noServer: true,
      maxPayload: runtime.limits.webSocketFrameBytes,
      perMessageDeflate: false,
      // Passed on to the other side, which answers them itself.
      autoPong: false,
      // The only one that the platform knows; every other is as if it had not been offered.
      handleProtocols: (offered) => isJwt && offered.has(bearerSubprotocol) && bearerSubprotocol,
    });
    this.#servers.set(runtime.arn, server);
    return server;
  }
}

/** Open and paused, so that nothing is lost before the caller is there. Throws `RuntimeClientError`. */
async function openContainerSocket(
  session: Session,
  runtime: RuntimeConfig,
  headers: Readonly<Record<string, string>>,
): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${session.port}/ws`, {
    headers: { ...headers },
    maxPayload: runtime.limits.webSocketFrameBytes,
    perMessageDeflate: false,
    autoPong: false,
    followRedirects: false,
    handshakeTimeout: runtime.limits.startSeconds * 1_000,
  });
  // Whatever breaks later closes it too, and that is heard.
  socket.on('error', () => undefined);
  socket.once('open', () => socket.pause());
  try {
    await once(socket, 'open');
  } catch (cause) {
    throw new PlatformError('RuntimeClientError', 'the container did not accept the WebSocket', { cause });
  }
  return socket;
}

function answerUpgrade(
  { request, socket }: Upgrade,
  requestId: string,
  write: (answer: ServerResponse) => void,
): void {
  if (socket.destroyed || !socket.writable) return;
  const answer = new ServerResponse(request);
  answer.setHeader(requestIdAnswerHeader, requestId);
  answer.setHeader('connection', 'close');
  // Of an HTTP server's upgrade this is the connection's own socket.
  answer.assignSocket(socket as typeof request.socket);
  answer.once('finish', () => socket.end());
  write(answer);
}
