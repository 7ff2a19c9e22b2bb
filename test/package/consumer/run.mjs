// Imports the installed package, serves, and talks with what it serves; prints the last event's type on each transport.
import { tmpdir } from 'node:os';
import { readConfig, serve } from 'agentcore-agui';
import { AgentCoreClient, makeSessionId } from 'agentcore-agui/client';
import { presignWebSocketUrl } from 'agentcore-agui/client/presign';

const config = readConfig({
  AGUI_HOST: '127.0.0.1',
  AGUI_PORT: '0',
  AGUI_LOG_LEVEL: 'warn',
  AGUI_CONFIG_DIR: `${tmpdir()}/${crypto.randomUUID()}`,
});
const server = await serve(config);
const url = `http://127.0.0.1:${server.port}`;
const sessionId = await makeSessionId({ user: 'ann', thread: 't' });
for (const transport of ['sse', 'ws']) {
  const client = new AgentCoreClient({ target: { kind: 'url', url }, transport, sessionId });
  let last;
  const messages = [{ id: 'm', role: 'user', content: 'Create a VPC' }];
  for await (const event of client.run({ threadId: transport, runId: 'r', messages })) last = event;
  console.log(transport, last?.event?.type ?? last?.type);
}
const page = await fetch(url, { headers: { accept: 'text/html' } });
console.log('page', page.status, page.headers.get('content-type'));
console.log('presign', typeof presignWebSocketUrl);
await server.stop();
process.exit(0);
