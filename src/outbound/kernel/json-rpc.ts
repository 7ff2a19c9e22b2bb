/** JSON-RPC 2.0 as A2A uses it: one request, and what is a lawful response to it. No transport. */
import { KernelError, rpcVersionNotSupported } from '../../errors/kernel-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/json.ts';

export type RpcMethod = 'SendStreamingMessage' | 'SendMessage' | 'GetTask' | 'SubscribeToTask' | 'CancelTask';

export const neededVersion = '1.0';
const maxMessageChars = 500;

export function rpcRequest(id: string, method: RpcMethod, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** JSON text → the `result` of the response to request `id`. Throws what the agent answered instead. */
export function readRpcResponse(text: string, id: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // The parser's own error quotes the agent's text.
    throw new KernelError('breach', 'the agent answered with something that is not JSON');
  }
  return resultOf(value, id);
}

function resultOf(response: JsonValue, id: string): JsonObject {
  if (!isJsonObject(response) || response['jsonrpc'] !== '2.0') {
    throw new KernelError('breach', 'the agent answered with something that is not JSON-RPC 2.0');
  }
  const { error, result } = response;
  // An error may be about a request whose id could not be read.
  const isOurs = response['id'] === id || (error !== undefined && (response['id'] ?? null) === null);
  if (!isOurs) throw new KernelError('breach', 'the agent answered with the id of another request');
  if (error !== undefined && error !== null) throw refusalOf(error);
  if (!isJsonObject(result)) {
    throw new KernelError('breach', 'the agent answered with neither a result object nor an error');
  }
  return result;
}

function refusalOf(error: JsonValue): KernelError {
  const rpcCode = isJsonObject(error) ? error['code'] : undefined;
  if (!isJsonObject(error) || typeof rpcCode !== 'number') {
    return new KernelError('breach', 'the agent answered with an error that has no code');
  }
  const message = typeof error['message'] === 'string' ? error['message'].slice(0, maxMessageChars) : '';
  if (rpcCode === rpcVersionNotSupported) return versionBreach('unknown', message);
  return new KernelError('refused', `the agent refused: ${rpcCode} ${message}`, {
    rpcCode,
    data: error['data'],
  });
}

/** The agent speaks another A2A than we do. `offered` is what it speaks, or `unknown`. */
export function versionBreach(offered: string, detail = ''): KernelError {
  const text = `A2A ${neededVersion} is needed, offered: ${offered}`;
  return new KernelError('breach', detail === '' ? text : `${text}: ${detail}`, {
    rpcCode: rpcVersionNotSupported,
    data: { offered, needed: neededVersion },
  });
}
