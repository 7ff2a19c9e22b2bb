import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config.ts';
import { verifies } from '../../spec/verifies.ts';

const discovery = 'https://issuer.example/.well-known/openid-configuration';
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKeys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1' }] });
const tokens = { AGUI_AUTH: 'jwt', AGUI_JWT_DISCOVERY_URL: discovery, AGUI_JWT_ALLOWED_CLIENTS: 'client-1' };

describe('the settings', () => {
  it('have defaults that serve on 0.0.0.0:8080 with the embedded agent and no credentials', () => {
    verifies('container.host', 'container.port');
    expect(readConfig({})).toMatchObject({
      host: '0.0.0.0',
      port: 8080,
      auth: 'none',
      kernelUrl: undefined,
      kernelCommand: undefined,
      requireSession: false,
      interruptTtlMs: 540_000,
      heartbeatMs: 15_000,
      maxBodyBytes: 12_582_912,
      drainMs: 10_000,
    });
  });

  it('keep state and workspaces below the configured folder', () => {
    const config = readConfig({ AGUI_CONFIG_DIR: '/srv/agui' });

    expect(config.stateDir).toBe(join('/srv/agui', 'agui'));
    expect(config.workspaceDir).toBe(join('/srv/agui', 'workspace'));
    expect(config.allowedCwds).toContain(config.workspaceDir);
  });

  it('answer to the names that iac-code users have, and to their own first', () => {
    expect(readConfig({ IAC_CODE_AGUI_PORT: '41243' }).port).toBe(41_243);
    expect(readConfig({ IAC_CODE_AGUI_PORT: '41243', AGUI_PORT: '9000' }).port).toBe(9_000);
    expect(readConfig({ IAC_CODE_AGUI_AUTH_TOKEN: 't' })).toMatchObject({ auth: 'bearer', authToken: 't' });
    expect(readConfig({ IAC_CODE_AGUI_INTERRUPT_TTL: '7' }).interruptTtlMs).toBe(7_000);
  });

  it('keep threads in files, or in the table that is named', () => {
    expect(readConfig({}).store).toEqual({ kind: 'file', ttlDays: 0 });
    expect(readConfig({ AGUI_STORE: 'memory' }).store).toEqual({ kind: 'memory' });
    expect(readConfig({ AGUI_STORE: 'dynamodb', AGUI_DYNAMODB_TABLE: 'threads' }).store).toEqual({
      kind: 'dynamodb',
      table: 'threads',
      ttlDays: 30,
    });
    expect(() => readConfig({ AGUI_STORE: 'dynamodb' })).toThrow(
      'AGUI_STORE=dynamodb needs AGUI_DYNAMODB_TABLE',
    );
    expect(() => readConfig({ AGUI_DYNAMODB_TABLE: 'a table' })).toThrow('AGUI_DYNAMODB_TABLE must be');
  });

  it('take an empty value for none', () => {
    expect(readConfig({ AGUI_PORT: '', AGUI_AUTH_TOKEN: '' })).toMatchObject({ port: 8080, auth: 'none' });
  });

  it.each([
    [{ AGUI_PORT: '80x' }, 'AGUI_PORT'],
    [{ AGUI_PORT: '70000' }, 'AGUI_PORT'],
    [{ AGUI_HEARTBEAT_S: '0' }, 'AGUI_HEARTBEAT_S'],
    [{ AGUI_LOG_LEVEL: 'loud' }, 'AGUI_LOG_LEVEL'],
    [{ AGUI_REQUIRE_SESSION: 'maybe' }, 'AGUI_REQUIRE_SESSION'],
    [{ AGUI_KERNEL_URL: 'ftp://x' }, 'AGUI_KERNEL_URL'],
    [{ AGUI_KERNEL_URL: 'http://user:secret@x' }, 'AGUI_KERNEL_URL'],
    [{ AGUI_KERNEL_URL: 'http://x', AGUI_KERNEL_COMMAND: 'y' }, 'AGUI_KERNEL_COMMAND'],
    [{ AGUI_ALLOWED_CWDS: 'relative' }, 'AGUI_ALLOWED_CWDS'],
    [{ AGUI_CORS_ORIGINS: 'https://x/path' }, 'AGUI_CORS_ORIGINS'],
    [{ AGUI_MODEL: 'x' }, 'AGUI_MODEL_PROVIDER'],
    [{ AGUI_MODEL_PROVIDER: 'bedrock' }, 'AGUI_MODEL'],
    [{ AGUI_MODEL_PROVIDER: 'openai-compatible', AGUI_MODEL: 'x' }, 'AGUI_MODEL_BASE_URL'],
    [{ AGUI_MODEL_PROVIDER: 'gpt', AGUI_MODEL: 'x' }, 'AGUI_MODEL_PROVIDER'],
    [{ AGUI_AUTH: 'bearer' }, 'AGUI_AUTH_TOKEN'],
    [{ IAC_CODE_AGUI_PORT: 'x' }, 'IAC_CODE_AGUI_PORT'],
    [{ AGUI_AUTH: 'none', AGUI_AUTH_TOKEN: 'secret' }, 'AGUI_AUTH_TOKEN'],
    [{ ...tokens, AGUI_AUTH_TOKEN: 'secret' }, 'AGUI_AUTH_TOKEN'],
    [{ ...tokens, AGUI_JWT_DISCOVERY_URL: '' }, 'AGUI_JWT_DISCOVERY_URL'],
    [
      { ...tokens, AGUI_JWT_DISCOVERY_URL: 'http://issuer.example/.well-known/openid-configuration' },
      'https',
    ],
    [{ ...tokens, AGUI_JWT_DISCOVERY_URL: 'https://issuer.example' }, '/.well-known/openid-configuration'],
    [{ ...tokens, AGUI_JWT_DISCOVERY_URL: `${discovery},${discovery}` }, 'twice'],
    [{ ...tokens, AGUI_JWT_ALLOWED_CLIENTS: '' }, 'AGUI_JWT_ALLOWED_CLIENTS or AGUI_JWT_ALLOWED_AUDIENCE'],
    [{ ...tokens, AGUI_JWT_ALLOWED_CLIENTS: '', AGUI_JWT_ALLOWED_SCOPES: 'a' }, 'AGUI_JWT_ALLOWED_CLIENTS'],
    [{ ...tokens, AGUI_JWT_ALLOWED_CLIENTS: 'a b' }, 'AGUI_JWT_ALLOWED_CLIENTS'],
    [{ ...tokens, AGUI_JWT_ALLOWED_SCOPES: 'a"b' }, 'AGUI_JWT_ALLOWED_SCOPES'],
    [{ ...tokens, AGUI_JWT_CUSTOM_CLAIMS: '{' }, 'AGUI_JWT_CUSTOM_CLAIMS'],
    [{ ...tokens, AGUI_JWT_CUSTOM_CLAIMS: '[{"name":"a"}]' }, 'AGUI_JWT_CUSTOM_CLAIMS[0]'],
    [{ ...tokens, AGUI_JWT_CUSTOM_CLAIMS: '[{"name":"a","equals":"b","contains":"c"}]' }, 'CLAIMS[0]'],
    [{ ...tokens, AGUI_JWT_CUSTOM_CLAIMS: '[{"name":"a","equals":"https://b"}]' }, 'CLAIMS[0]'],
    [{ ...tokens, AGUI_JWT_CUSTOM_CLAIMS: '[{"name":"a","containsAny":[]}]' }, 'CLAIMS[0]'],
    [{ AGUI_AUTH: 'jwt', AGUI_JWT_AUTHORIZERS: '{' }, 'AGUI_JWT_AUTHORIZERS'],
    [{ AGUI_AUTH: 'jwt', AGUI_JWT_AUTHORIZERS: '[]' }, 'AGUI_JWT_'],
    [{ AGUI_AUTH: 'jwt', AGUI_JWT_AUTHORIZERS: '[7]' }, 'AGUI_JWT_AUTHORIZERS[0].discoveryUrl'],
    [{ AGUI_AUTH: 'jwt', AGUI_JWT_AUTHORIZERS: `[{"discoveryUrl":"${discovery}"}]` }, 'for each issuer'],
    [
      { AGUI_AUTH: 'jwt', AGUI_JWT_AUTHORIZERS: `[{"discoveryUrl":"${discovery}","audience":[]}]` },
      'audience',
    ],
    [
      { AGUI_AUTH: 'jwt', AGUI_JWT_AUTHORIZERS: `[{"discoveryUrl":"${discovery}","allowedClients":"a"}]` },
      'allowedClients',
    ],
    [
      { AGUI_AUTH: 'jwt', AGUI_JWT_AUTHORIZERS: '[{"discoveryUrl":"http://x","allowedClients":["a"]}]' },
      'https',
    ],
    [
      { ...tokens, AGUI_JWT_AUTHORIZERS: `[{"discoveryUrl":"${discovery}","allowedClients":["a"]}]` },
      'not both',
    ],
    [{ ...tokens, AGUI_JWT_JWKS: 'secret' }, 'AGUI_JWT_JWKS must be a JSON Web Key Set'],
    [{ ...tokens, AGUI_JWT_JWKS: '{"keys":[]}' }, 'at least one key'],
    [{ ...tokens, AGUI_JWT_JWKS: '{"keys":[{"kty":"oct","kid":"1","k":"secret"}]}' }, 'only public keys'],
    [{ ...tokens, AGUI_JWT_JWKS: '{"keys":[{"kty":"EC","kid":"1","crv":"P-256"}]}' }, 'AGUI_JWT_JWKS key 1'],
    [{ ...tokens, AGUI_JWT_JWKS: publicKeys.replace('"kid"', '"id"') }, 'needs a kid'],
    [
      {
        ...tokens,
        AGUI_JWT_DISCOVERY_URL: `${discovery},https://b.example/.well-known/openid-configuration`,
        AGUI_JWT_JWKS: publicKeys,
      },
      'AGUI_JWT_AUTHORIZERS',
    ],
    [{ ...tokens, AGUI_JWT_ISSUER: 'https://issuer.example/' }, 'AGUI_JWT_JWKS'],
    [
      {
        AGUI_AUTH: 'jwt',
        AGUI_JWT_AUTHORIZERS: `[{"discoveryUrl":"${discovery}","allowedClients":["a"],"issuer":"https://issuer.example/"}]`,
      },
      'keySet',
    ],
    [{ AGUI_PUBLIC_URL: 'ftp://x' }, 'AGUI_PUBLIC_URL'],
    [{ AGUI_RATE_LIMIT: '-1' }, 'AGUI_RATE_LIMIT'],
    [{ AGUI_FORWARD_HEADERS: 'x-ok, connection' }, 'AGUI_FORWARD_HEADERS'],
    [{ AGUI_FORWARD_HEADERS: 'authorization', AGUI_KERNEL_TOKEN: 'secret' }, 'AGUI_FORWARD_HEADERS'],
  ])('refuse %j with one line that names it', (environment, name) => {
    expect(() => readConfig(environment)).toThrow(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining(name) }),
    );
    expect(() => readConfig(environment)).toThrow(/^[^\n]+$/);
    expect(() => readConfig(environment)).not.toThrow('secret');
  });
});
