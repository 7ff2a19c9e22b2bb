/** Settings that say which tokens count with `AGUI_AUTH=jwt`. */
import { authorizers, claimRules, discoveryUrls, names, scopes } from './authorizer-settings.ts';
import { publicKeySet } from './key-set.ts';
import { setting } from './setting.ts';
import { text } from './setting-readers.ts';

export const jwtSettings = {
  jwtDiscoveryUrls: setting(
    'AGUI_JWT_DISCOVERY_URL',
    discoveryUrls,
    'Discovery document of the OpenID Connect provider whose tokens count (AGUI_AUTH=jwt); several separated by commas',
  ),
  jwtAllowedClients: setting(
    'AGUI_JWT_ALLOWED_CLIENTS',
    names,
    'Clients whose tokens count, compared with `client_id` (Cognito access tokens), separated by commas',
  ),
  jwtAllowedAudience: setting(
    'AGUI_JWT_ALLOWED_AUDIENCE',
    names,
    'Audiences for which tokens count, compared with `aud` (most other providers), separated by commas',
  ),
  jwtAllowedScopes: setting(
    'AGUI_JWT_ALLOWED_SCOPES',
    scopes,
    'Scopes of which a token needs one, separated by commas',
  ),
  jwtCustomClaims: setting(
    'AGUI_JWT_CUSTOM_CLAIMS',
    claimRules,
    'Rules for further claims, as JSON: `[{"name":"tenant","equals":"acme"},{"name":"groups","containsAny":["a","b"]}]`',
  ),
  jwtKeySet: setting(
    'AGUI_JWT_JWKS',
    publicKeySet,
    "The provider's public keys as its `jwks_uri` answers them, for a server that can't reach it: nothing is fetched then, and a new key counts after the next deployment",
    { shownDefault: 'fetched' },
  ),
  jwtIssuer: setting(
    'AGUI_JWT_ISSUER',
    text,
    '`iss` of the tokens, with AGUI_JWT_JWKS; many providers end it with a slash',
    { shownDefault: 'the discovery address without its last two parts' },
  ),
  jwtAuthorizers: setting(
    'AGUI_JWT_AUTHORIZERS',
    authorizers,
    'Instead of the seven above, for issuers with rules of their own, as JSON: `[{"discoveryUrl":"https://…","allowedClients":["…"]},{"discoveryUrl":"https://…","allowedAudience":["…"]}]`',
  ),
} as const;
