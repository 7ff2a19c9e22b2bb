/** Bodies that are no lawful `RunAgentInput`, each wrong in one way, by AG-UI's schema of the input. */

type Input = Readonly<Record<string, unknown>>;

export interface BadInput {
  readonly name: string;
  /** Bytes as they are, else sent as JSON; `input` is lawful. */
  body(input: Input): unknown;
}

const depth = 20_000;

export const badInputs: readonly BadInput[] = [
  { name: 'no JSON', body: () => '{"threadId": "thread-123", ' },
  { name: 'an empty body', body: () => '' },
  { name: 'a JSON list', body: () => [] },
  { name: 'no threadId', body: ({ threadId: _left, ...rest }) => rest },
  { name: 'no messages', body: ({ messages: _left, ...rest }) => rest },
  { name: 'a runId that is a number', body: (input) => ({ ...input, runId: 456 }) },
  { name: 'messages that are a text', body: (input) => ({ ...input, messages: 'Hello, agent!' }) },
  {
    name: 'a message without content',
    body: (input) => ({ ...input, messages: [{ id: 'msg-1', role: 'user' }] }),
  },
  {
    name: 'a message of an unknown role',
    body: (input) => ({ ...input, messages: [{ id: 'msg-1', role: 'wizard', content: 'Hello' }] }),
  },
  {
    name: 'bytes that are not UTF-8',
    body: () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  },
  {
    name: 'a very deep body',
    body: (input) =>
      `{"state":${'['.repeat(depth)}${']'.repeat(depth)},"messages":"deep","threadId":${JSON.stringify(input['threadId'])}}`,
  },
];
