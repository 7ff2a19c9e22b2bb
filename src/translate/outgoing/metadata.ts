/**
 * The request's options as the kernel's `metadata.iac_code`, spelled as iac-code spells them (mixed casing included).
 * What the request did not say is left out. Secrets pass through here into one message and are kept nowhere.
 */
import type { AlibabaCloud, IacCodeProps, Thinking } from '../../protocol/forwarded-props.ts';
import type { JsonObject, JsonValue } from '../../protocol/json.ts';

export interface RequestOptions {
  /** `forwardedProps.iacCode`, where the request has it. */
  readonly props: IacCodeProps | undefined;
  /** The thread's workspace, links resolved. */
  readonly cwd: string;
  readonly rosInvocationId: string;
  /** Two letters. */
  readonly language: string;
}

export function kernelMetadata({ props, cwd, rosInvocationId, language }: RequestOptions): JsonObject {
  return withoutUndefined({
    cwd,
    rosInvocationId,
    preferredLanguage: language,
    cleanupOnly: props?.cleanupOnly ?? false,
    user_id: props?.userId,
    channel: props?.channel,
    candidatePresentation: presentation(props?.candidatePresentation),
    run_mode: props?.runMode,
    pipeline_name: props?.pipelineName,
    iac_code_model: filled(props?.model),
    iac_code_api_key: filled(props?.llmApiKey),
    thinking: thinkingOf(props?.thinking),
    ...cloudOf(props?.alibabaCloud),
  });
}

/** The contract's word for rich candidates is `rich`; the kernel knows them as `rich-v1` and ignores anything else. */
function presentation(value: IacCodeProps['candidatePresentation']): string | undefined {
  return value === 'rich' ? 'rich-v1' : value;
}

function thinkingOf(thinking: Thinking | undefined): JsonObject | undefined {
  if (thinking === undefined) return undefined;
  return withoutUndefined({
    enabled: thinking.enabled,
    effort: filled(thinking.effort),
    budget: thinking.budget,
  });
}

function cloudOf(cloud: AlibabaCloud | undefined): JsonObject {
  return {
    alibaba_cloud_access_key_id: filled(cloud?.accessKeyId),
    alibaba_cloud_access_key_secret: filled(cloud?.accessKeySecret),
    alibaba_cloud_security_token: filled(cloud?.securityToken),
    alibaba_cloud_region_id: filled(cloud?.regionId),
  };
}

function filled(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function withoutUndefined(members: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
