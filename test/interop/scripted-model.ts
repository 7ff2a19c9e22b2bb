/**
 * An OpenAI-compatible endpoint without a model: it answers by what it is told. "run <command>" becomes a call of the
 * tool `bash`, "wait" never ends, anything else is said back; the result of a tool is summed up in one sentence.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedModel {
  readonly url: string;
  /** Requests so far. */
  readonly asked: () => number;
  stop(): Promise<void>;
}

interface ChatMessage {
  readonly role: string;
  readonly content: unknown;
}

export async function startScriptedModel(): Promise<ScriptedModel> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (!request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end('{}');
    asked += 1;
    const { messages } = JSON.parse(body) as { messages: readonly ChatMessage[] };
    return answer(messages, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    stop: () => new Promise((resolve) => server.close(() => resolve()) && server.closeAllConnections()),
  };
}

function answer(messages: readonly ChatMessage[], response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish: string | null = null): void => {
    const choice = { index: 0, delta, finish_reason: finish };
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [choice],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const last = messages.at(-1);
  const said = textOf(messages.findLast(({ role }) => role === 'user')?.content);
  const command = /run (.+)/.exec(said)?.[1];
  if (last?.role === 'tool') {
    for (const word of `The tool said: ${textOf(last.content).trim().split('\n')[0]}`.split(/(?<= )/))
      send({ content: word });
    send({}, 'stop');
  } else if (command !== undefined) {
    const call = { name: 'bash', arguments: JSON.stringify({ command }) };
    send({
      role: 'assistant',
      content: null,
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }],
    });
    send({}, 'tool_calls');
  } else {
    for (const word of `You said: ${said}`.split(/(?<= )/)) send({ content: word });
    if (/wait/.test(said)) return;
    send({}, 'stop');
  }
  response.end('data: [DONE]\n\n');
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => String(Object(part)['text'] ?? '')).join('');
}
