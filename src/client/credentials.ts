/** How a caller proves who it is: one tagged union for all transports. Nothing here is ever written to a log or an error. */
import type { Challenge } from './challenge.ts';

export type Credentials =
  /** A local container. */
  | { readonly type: 'none' }
  /** OAuth access token, or a static token of a container: fixed, or from the caller's own provider. */
  | { readonly type: 'bearer'; readonly token: string | TokenProvider }
  /** AWS Signature Version 4, by the default chain or the given credentials. Only for a runtime's ARN. */
  | {
      readonly type: 'sigv4';
      readonly credentials?: AwsCredentials | (() => Promise<AwsCredentials>);
      /** Profile of the shared configuration files, where the default chain is used. */
      readonly profile?: string;
    }
  /** A WebSocket address that a backend has signed; asked for anew for each connection, as it is valid for minutes. */
  | { readonly type: 'presigned'; readonly url: (sessionId: string) => string | Promise<string> };

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** `call`: an ordinary call, answered from the caller's own cache. `renewal`: the token was refused. */
export type TokenRequest =
  | { readonly reason: 'call' }
  | {
      readonly reason: 'renewal';
      readonly refused: string | undefined;
      /** What the server said about where tokens come from, with its resource metadata where it could be read. */
      readonly challenge: Challenge | undefined;
    };

/** Undefined sends the call without a token, to learn from the server's challenge where tokens come from. */
export type TokenProvider = (request: TokenRequest) => string | undefined | Promise<string | undefined>;
