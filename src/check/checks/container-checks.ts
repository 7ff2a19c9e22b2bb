/** Where the container listens, as far as it can be seen from outside. */
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { failed, passed, skipped, source, type Verdict, type WireCheck } from '../check.ts';
import { describe } from '../exchange.ts';
import type { Lab } from '../lab.ts';

const section = source.contract('Container requirements');
const connectMs = 2_000;

export const containerChecks: readonly WireCheck[] = [
  {
    id: 'container.port',
    sentence: 'The container listens on port 8080',
    source: section,
    severity: 'error',
    on: 'http',
    prove: provePort,
  },
  {
    id: 'container.host',
    sentence: 'The container listens on 0.0.0.0',
    source: section,
    // What is seen from outside may be the doing of a port mapping.
    severity: 'warning',
    on: 'http',
    prove: proveHost,
  },
];

async function provePort(lab: Lab): Promise<Verdict> {
  const answer = lab.site.isBehindPlatform ? (await lab.example()).exchange : (await lab.pingsAtRest())[0];
  if (answer?.status === undefined) {
    const seen = answer === undefined ? 'nothing' : describe(answer);
    return failed(`nothing answers at ${lab.site.url.host}`, { sent: answer?.sent ?? '', seen });
  }
  if (lab.site.isBehindPlatform) return skipped('called through the platform, which hides the port');
  const { port, protocol } = lab.site.url;
  const number = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  if (number === '8080') return passed;
  return skipped(
    `reached on port ${number}; which port that is inside the container can't be seen from outside`,
  );
}

async function proveHost(lab: Lab): Promise<Verdict> {
  const { hostname, port } = lab.site.url;
  if (!/^(localhost|127\.|\[::1\]$)/.test(hostname)) return passed;
  const address = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
  if (address === undefined) return skipped('this machine has no other address to try');
  if (port === '') return skipped('the address names no port');
  if (await canConnect(address, Number(port))) return passed;
  return failed('only the loopback address takes connections (right for a port published to 127.0.0.1)', {
    sent: `a connection to ${address}:${port}`,
    seen: 'refused, or no answer',
  });
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectMs });
    const end = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
