/** Calls with a bearer token, and the one renewal after a 401. The same for HTTP and the opening of a WebSocket. */
import { type Challenge, discover, parseChallenge } from './challenge.ts';
import { ClientError, isClientError } from './client-error.ts';
import type { Credentials, TokenProvider } from './credentials.ts';

export interface BearerCall<Result> {
  readonly credentials: Extract<Credentials, { type: 'bearer' }>;
  /** The address that is called. */
  readonly url: URL;
  readonly fetcher: typeof fetch;
  readonly signal: AbortSignal;
  /** Makes the call. Throws a `ClientError` with status 401 when the token is refused. */
  send(token: string | undefined): Promise<Result>;
}

export async function withToken<Result>(call: BearerCall<Result>): Promise<Result> {
  const { token } = call.credentials;
  if (typeof token === 'string') return call.send(checkToken(token));
  const first = await ask(token, { reason: 'call' });
  try {
    return await call.send(first);
  } catch (thrown) {
    if (!isClientError(thrown) || thrown.status !== 401) throw thrown;
    const challenge = await readChallenge(thrown, call);
    const renewed = await ask(token, { reason: 'renewal', refused: first, challenge });
    if (renewed === undefined || renewed === first) throw thrown;
    return call.send(renewed);
  }
}

async function readChallenge(
  refusal: ClientError,
  { url, fetcher, signal }: Pick<BearerCall<unknown>, 'url' | 'fetcher' | 'signal'>,
): Promise<Challenge | undefined> {
  const challenge = parseChallenge(refusal.challenge);
  return challenge === undefined ? undefined : discover(challenge, url, fetcher, signal);
}

async function ask(
  provider: TokenProvider,
  request: Parameters<TokenProvider>[0],
): Promise<string | undefined> {
  try {
    const token = await provider(request);
    return token === undefined ? undefined : checkToken(token);
  } catch (cause) {
    if (isClientError(cause)) throw cause;
    const message = 'the token provider failed';
    throw new ClientError({ code: 'UNAUTHORIZED', message, isUnsent: true, cause });
  }
}

/** Checked here, because what refuses it later would quote it. */
function checkToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new ClientError({
    code: 'UNAUTHORIZED',
    message: 'the token is empty or has characters that a header does not carry',
    isUnsent: true,
  });
}
