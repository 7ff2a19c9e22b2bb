/** What the deployment tells the server about tokens is what the server reads from it. */
import { describe, expect, it } from 'vitest';
import { serverEnvironment } from '../../../infra/lib/server-environment.ts';
import { variants } from '../../../infra/test/support/variants.ts';
import { readConfig } from '../../../src/server/config.ts';

describe('the environment of a deployment', () => {
  it('makes a server that checks the tokens that the platform checks', () => {
    const { auth } = variants['bearer tokens, a table, a model behind an inference profile'];
    if (auth.kind !== 'jwt') throw new TypeError('the variant has tokens');

    const config = readConfig(
      serverEnvironment(variants['bearer tokens, a table, a model behind an inference profile']),
    );

    expect(config.auth).toBe('jwt');
    expect(config.authorizers).toEqual([
      {
        discoveryUrl: auth.discoveryUrl,
        rules: {
          clients: auth.allowedClients,
          audience: auth.allowedAudience,
          scopes: auth.allowedScopes,
          claims: auth.customClaims,
        },
      },
    ]);
    const { kind: _kind, verifyInContainer: _where, ...whole } = auth;
    const list = { AGUI_AUTH: 'jwt', AGUI_JWT_AUTHORIZERS: JSON.stringify([whole]) };
    expect(readConfig(list).authorizers).toEqual(config.authorizers);
  });

  it('asks for nobody’s token where only the platform checks them', () => {
    const environment = serverEnvironment(variants['tokens that only the platform checks']);

    expect(readConfig(environment).auth).toBe('none');
  });
});
