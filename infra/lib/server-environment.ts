/** The server's side of the settings: the variables that the container starts with. Pure. */
import type { Settings } from './settings-type.ts';

/** `table` is the DynamoDB table's name when threads are kept there. */
export function serverEnvironment(settings: Settings, table?: string): Readonly<Record<string, string>> {
  return {
    ...settings.environment,
    ...authentication(settings),
    ...storage(settings, table),
    ...model(settings),
    ...(settings.kernelUrl === undefined ? {} : { AGUI_KERNEL_URL: settings.kernelUrl }),
  };
}

/** Request headers that the platform must let through for these settings. */
export function headerAllowlist({ auth, requestHeaders }: Settings): readonly string[] {
  return auth.kind === 'jwt' && auth.verifyInContainer
    ? ['Authorization', ...requestHeaders]
    : requestHeaders;
}

function authentication({ auth }: Settings): Record<string, string> {
  // Signed callers were checked by the platform; nothing that proves them reaches the container.
  if (auth.kind === 'iam' || !auth.verifyInContainer) return { AGUI_AUTH: 'none' };
  return {
    AGUI_AUTH: 'jwt',
    AGUI_JWT_DISCOVERY_URL: auth.discoveryUrl,
    ...list('AGUI_JWT_ALLOWED_CLIENTS', auth.allowedClients),
    ...list('AGUI_JWT_ALLOWED_AUDIENCE', auth.allowedAudience),
    ...list('AGUI_JWT_ALLOWED_SCOPES', auth.allowedScopes),
    ...(auth.customClaims === undefined || auth.customClaims.length === 0
      ? {}
      : { AGUI_JWT_CUSTOM_CLAIMS: JSON.stringify(auth.customClaims) }),
    ...(auth.fixedKeys === undefined
      ? {}
      : { AGUI_JWT_ISSUER: auth.fixedKeys.issuer, AGUI_JWT_JWKS: JSON.stringify(auth.fixedKeys.keySet) }),
  };
}

function storage({ session, threads }: Settings, table: string | undefined): Record<string, string> {
  return {
    ...(session.storage === undefined
      ? {}
      : { AGUI_CONFIG_DIR: session.storage, AGUI_WORKSPACE_DIR: `${session.storage}/workspace` }),
    ...(threads === 'dynamodb' && table !== undefined
      ? { AGUI_STORE: 'dynamodb', AGUI_DYNAMODB_TABLE: table }
      : { AGUI_STORE: 'file' }),
  };
}

function model({ model: chosen }: Settings): Record<string, string> {
  return chosen.provider === 'offline'
    ? { AGUI_MODEL_PROVIDER: 'offline' }
    : { AGUI_MODEL_PROVIDER: 'bedrock', AGUI_MODEL: chosen.modelId };
}

const list = (name: string, values: readonly string[]): Record<string, string> =>
  values.length === 0 ? {} : { [name]: values.join(',') };
