/** What a template is asked to hold. Read out of a conversation by `understanding`, turned into YAML by `templates`. */
export const platforms = ['cloudformation', 'ros'] as const;
export type Platform = (typeof platforms)[number];

export const partKinds = ['vpc', 'bucket', 'queue', 'function', 'database', 'web-server'] as const;
export type PartKind = (typeof partKinds)[number];

interface Named {
  /** Letters, digits and hyphens, as the user gave it; absent leaves names to the cloud. */
  readonly name?: string;
}

export type Part =
  | (Named & {
      readonly kind: 'vpc';
      readonly cidr?: string;
      readonly subnets?: number;
      readonly nat?: boolean;
    })
  | (Named & { readonly kind: 'bucket' })
  | (Named & { readonly kind: 'queue'; readonly fifo?: boolean })
  | (Named & { readonly kind: 'function'; readonly runtime?: 'nodejs' | 'python' })
  | (Named & { readonly kind: 'database'; readonly engine?: 'mysql' | 'postgres' })
  | (Named & { readonly kind: 'web-server'; readonly instances?: number });

/** At most one part of each kind, in the order asked for; at least one. */
export interface TemplateRequest {
  readonly platform: Platform;
  readonly parts: readonly Part[];
}
