/**
 * The shape of `settings.ts`: everything that may differ between two deployments. From the same values come the
 * platform's side (authorizer, file system, roles) and the server's side (its environment), so that the two can't
 * disagree. Secrets have no place here: what stands in a template can be read by many.
 */

/** Callers sign with AWS credentials; the platform checks IAM. */
export interface IamAuth {
  readonly kind: 'iam';
  /** Whether the caller policy allows to speak for a user (X-Amzn-Bedrock-AgentCore-Runtime-User-Id). */
  readonly maySpeakForUsers: boolean;
}

/** A rule about one further claim: this text; a list that holds this text; a list that holds one of these texts. */
export type ClaimRule =
  | { readonly name: string; readonly equals: string }
  | { readonly name: string; readonly contains: string }
  | { readonly name: string; readonly containsAny: readonly string[] };

/** A provider's public keys, as its `jwks_uri` answers them. A key that the provider adds counts after the next deployment. */
export interface FixedKeys {
  /** `iss` of the tokens, letter by letter: many providers end it with a slash. */
  readonly issuer: string;
  readonly keySet: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
}

/** Callers bring a bearer token of an OpenID Connect provider; the platform checks it. */
export interface JwtAuth {
  readonly kind: 'jwt';
  /** Ends in /.well-known/openid-configuration. */
  readonly discoveryUrl: string;
  /** Compared with `client_id` (Cognito access tokens). */
  readonly allowedClients: readonly string[];
  /** Compared with `aud` (most other providers). */
  readonly allowedAudience: readonly string[];
  /** At least one of them must be in the token; empty = not checked. */
  readonly allowedScopes: readonly string[];
  /** All of them must hold; left out = none. */
  readonly customClaims?: readonly ClaimRule[];
  /** The server checks the token again and binds each session to its first subject. */
  readonly verifyInContainer: boolean;
  /** For `verifyInContainer` where the server can't reach the provider; left out = the server fetches the keys itself. */
  readonly fixedKeys?: FixedKeys;
}

export interface PublicNetwork {
  readonly kind: 'public';
}

/** Subnets and security groups that exist already, all in supported availability zones. */
export interface ExistingVpc {
  readonly kind: 'existing-vpc';
  readonly subnets: readonly { readonly id: string; readonly zoneId: string }[];
  readonly securityGroups: readonly string[];
}

/** A VPC of its own without a way to the internet: one subnet per zone and VPC endpoints for what the server calls. */
export interface NewVpc {
  readonly kind: 'new-vpc';
  /** IPv4 block between /16 and /24. */
  readonly cidr: string;
  readonly zoneIds: readonly string[];
}

export interface OfflineModel {
  readonly provider: 'offline';
}

/** `modelId` is a foundation model or an inference profile such as `eu.anthropic...`. */
export interface BedrockModel {
  readonly provider: 'bedrock';
  readonly modelId: string;
  /** Where the model may run: all regions of the inference profile. */
  readonly regions: readonly string[];
}

export interface Endpoint {
  /** Callers name it as `qualifier`. */
  readonly name: string;
  /** The runtime version that it stays at; 'newest' moves with every deployment and wipes session storage. */
  readonly version: number | 'newest';
}

export interface Settings {
  /** Name of the runtime: letters, digits, _; at most 48. Also the start of all other names. */
  readonly name: string;
  /** 12 digits; undefined takes the account of the credentials at deployment. */
  readonly account?: string;
  readonly region: string;
  readonly image: {
    readonly repository: string;
    /** sha256:...; undefined until the first build. `-c imageDigest=...` wins over it. */
    readonly digest?: string;
    readonly buildSize: 'small' | 'medium' | 'large';
    /** How many images the repository keeps. */
    readonly keep: number;
  };
  readonly auth: IamAuth | JwtAuth;
  /** Further request headers that reach the container (at most 20 in all). */
  readonly requestHeaders: readonly string[];
  readonly session: {
    /** Seconds without use until a session's machine is given back. */
    readonly idleSeconds: number;
    /** Seconds that a session's machine lives at most. */
    readonly maxSeconds: number;
    /** /mnt/<name>: state and workspace survive the machine. Undefined keeps them in the machine. */
    readonly storage?: string;
  };
  readonly network: PublicNetwork | ExistingVpc | NewVpc;
  /** 'files' below the session's storage, or one DynamoDB table for all sessions. */
  readonly threads: 'files' | 'dynamodb';
  readonly model: OfflineModel | BedrockModel;
  /** An A2A agent behind the server; undefined = the embedded one. */
  readonly kernelUrl?: string;
  /** More variables for the server. No secrets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly endpoints: readonly Endpoint[];
  readonly platformVersion: 'V1' | 'V2';
  readonly logs: { readonly retentionDays: number };
  readonly tracing: boolean;
  readonly alarms: {
    /** Gets a mail for every alarm; undefined = alarms without a receiver. */
    readonly mail?: string;
    /** Platform faults in five minutes. */
    readonly systemErrors: number;
    readonly throttles: number;
    /** Milliseconds to the first event, 99th percentile. */
    readonly firstEventMs: number;
  };
  /** What happens to images, threads and logs when a stack is deleted. */
  readonly onDelete: 'keep' | 'remove';
}
