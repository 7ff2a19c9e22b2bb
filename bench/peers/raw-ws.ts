/** A WebSocket server that says the time five times a second to everybody who asks: the least that sockets cost. */
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

const perSecond = 5;
const speaking = new Map<WebSocket, number>();
const http = createServer((_request, response) => response.end('{"status":"Healthy"}'));
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', (data) => {
    const input = JSON.parse(String(data)) as { messages: { content: string }[] };
    setTimeout(
      () => speaking.set(socket, Number(input.messages[0]?.content) * perSecond),
      Math.random() * 200,
    );
  });
  socket.on('close', () => speaking.delete(socket));
});

const slices = 20;
let slice = 0;
setInterval(
  () => {
    slice = (slice + 1) % slices;
    let index = 0;
    for (const [socket, left] of speaking) {
      index += 1;
      if (index % slices !== slice) continue;
      socket.send(JSON.stringify({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `${Date.now()} ` }));
      if (left > 1) {
        speaking.set(socket, left - 1);
      } else {
        socket.send('{"type":"RUN_FINISHED"}');
        speaking.delete(socket);
      }
    }
  },
  1_000 / perSecond / slices,
);
http.listen(Number(process.env['AGUI_PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
