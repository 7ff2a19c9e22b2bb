/**
 * Which model a request is answered by: the one that the settings name, or the one that the request wishes for, at the
 * provider of the settings. Providers are loaded when the first request needs them. A request's key lives in the model
 * made for it, and in nothing that is kept.
 */
import type { LanguageModel, streamText } from 'ai';
import type { ModelWishes } from '../author.ts';

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

export interface ChosenModel {
  readonly model: LanguageModel;
  /** Undefined leaves it to the provider. */
  readonly effort: Effort | undefined;
  readonly providerOptions: Parameters<typeof streamText>[0]['providerOptions'];
}

export type Models = (wishes: ModelWishes) => Promise<ChosenModel>;

export interface ModelSettings {
  readonly provider: 'bedrock' | 'openai-compatible';
  readonly model: string;
  /** Address of the endpoint; for Bedrock a stand-in's, or a private one. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Region of Bedrock; undefined leaves it to the environment of the process, as AWS names it. */
  readonly region: string | undefined;
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

export function createModels(settings: ModelSettings): Models {
  return settings.provider === 'bedrock' ? bedrockModels(settings) : compatibleModels(settings);
}

/** Credentials: the request's Bedrock key, the configured one, else those of the container, as every AWS SDK finds them. */
function bedrockModels({ model, baseUrl, apiKey, region }: ModelSettings): Models {
  return async (wishes) => {
    const [{ createAmazonBedrock }, { defaultProvider }] = await Promise.all([
      import('@ai-sdk/amazon-bedrock'),
      import('@aws-sdk/credential-provider-node'),
    ]);
    const key = wishes.apiKey ?? apiKey;
    const provider = createAmazonBedrock({
      ...(key === undefined ? { credentialProvider: defaultProvider() } : { apiKey: key }),
      ...(region === undefined ? {} : { region }),
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    });
    const budget = wishes.thinking?.enabled === true ? wishes.thinking.budget : undefined;
    return {
      model: provider(wishes.model ?? model),
      effort: budget === undefined ? effortOf(wishes) : undefined,
      providerOptions:
        budget === undefined
          ? undefined
          : { amazonBedrock: { reasoningConfig: { type: 'enabled', budgetTokens: budget } } },
    };
  };
}

function compatibleModels({ model, baseUrl, apiKey }: ModelSettings): Models {
  return async (wishes) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const key = wishes.apiKey ?? apiKey;
    const provider = createOpenAICompatible({
      name: 'model',
      baseURL: baseUrl ?? '',
      includeUsage: true,
      ...(key === undefined ? {} : { apiKey: key }),
    });
    return { model: provider(wishes.model ?? model), effort: effortOf(wishes), providerOptions: undefined };
  };
}

/** `thinking` in the SDK's words. Switched on without an effort it is « medium »; not spoken of it is the provider's. */
function effortOf({ thinking }: ModelWishes): Effort | undefined {
  if (thinking === undefined) return undefined;
  if (!thinking.enabled) return 'none';
  return efforts.find((effort) => effort === thinking.effort) ?? 'medium';
}
