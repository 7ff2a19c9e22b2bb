/** What an interrupt says when the agent asks without words of its own. */
import { type Language, toLanguage } from './choose-language.ts';

export interface InterruptTexts {
  readonly inputRequired: string;
  readonly permissionRequired: string;
}

const texts: Readonly<Record<Language, InterruptTexts>> = {
  en: { inputRequired: 'Input is required', permissionRequired: 'Permission is required' },
  zh: { inputRequired: '需要您的输入', permissionRequired: '需要您的授权' },
  es: { inputRequired: 'Se necesita una respuesta', permissionRequired: 'Se necesita una autorización' },
  fr: { inputRequired: 'Une réponse est nécessaire', permissionRequired: 'Une autorisation est nécessaire' },
  de: {
    inputRequired: 'Eine Eingabe ist erforderlich',
    permissionRequired: 'Eine Erlaubnis ist erforderlich',
  },
  ja: { inputRequired: '入力が必要です', permissionRequired: '許可が必要です' },
  pt: { inputRequired: 'É necessária uma resposta', permissionRequired: 'É necessária uma autorização' },
  it: { inputRequired: 'È necessaria una risposta', permissionRequired: "È necessaria un'autorizzazione" },
};

/** The texts in the language of a tag such as `zh-CN`; English where it is not one of ours. */
export function interruptTexts(tag: string): InterruptTexts {
  return texts[toLanguage(tag) ?? 'en'];
}
