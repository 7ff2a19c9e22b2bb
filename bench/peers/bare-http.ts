/** The least that can answer /ping: what Node itself costs. */
import { createServer } from 'node:http';

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end('{"status":"Healthy"}');
});
server.listen(Number(process.env['AGUI_PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
