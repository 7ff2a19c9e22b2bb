/**
 * `agentcore-agui chat --web`: the chat page in the person's own browser. The page of a container that is there already,
 * or of a server that is started here, for this machine alone, and stopped by Ctrl-C.
 */
import { invocationsUrl } from '../client/runtime-endpoint.ts';
import type { ConnectionFlags } from './connection-options.ts';
import { exitCode } from './exit-code.ts';
import { UsageError } from './usage-error.ts';

export interface WebFlags extends ConnectionFlags {
  readonly web?: boolean;
  readonly open: boolean;
}

/** Resolves to the exit code. Throws `UsageError`. */
export async function chatInBrowser({ arn, url, open }: WebFlags): Promise<number> {
  if (arn !== undefined) {
    throw new UsageError(
      '--web opens the page of a container: give --url, or nothing for a server of its own',
    );
  }
  if (url !== undefined) {
    await show(new URL('./', invocationsUrl({ kind: 'url', url })).href, open);
    return exitCode.done;
  }
  const { runServer } = await import('../server/main.ts');
  const host = process.env['AGUI_HOST'] ?? '127.0.0.1';
  const settings = { AGUI_CHAT_PAGE: 'on', AGUI_HOST: host };
  return runServer(settings, (port) => void show(`http://${reachable(host)}:${port}/`, open));
}

/** An address that means all of this machine's is none that a browser can call. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

async function show(address: string, isOpened: boolean): Promise<void> {
  process.stderr.write(`chat page: ${address}\n`);
  if (!isOpened) return;
  try {
    const { default: openBrowser } = await import('open');
    const browser = await openBrowser(address);
    // A machine without a browser: the address has been printed.
    browser.once('error', () => undefined);
  } catch {
    // As above.
  }
}
