/** The few members of `oidc-provider` that the tests use; the package carries no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => unknown;
    readonly Client: { find(id: string): Promise<object | undefined> };
    readonly IdToken: new (
      available: object,
      context: { client: object | undefined },
    ) => { issue(options: { use: string; expiresAt: number }): Promise<string> };
  }
}
