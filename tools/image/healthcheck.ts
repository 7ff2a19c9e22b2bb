/** The image's HEALTHCHECK: exit 0 when the server in this container answers /ping with 200, else 1. */
import { get } from 'node:http';

const port = Number(process.env['AGUI_PORT'] ?? 8080);
get({ host: '127.0.0.1', port, path: '/ping', timeout: 2000 }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
})
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
