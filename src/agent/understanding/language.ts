/** Which language a person writes in, told by scripts and by the small words that every sentence has. */
export const spokenLanguages = ['en', 'fr', 'it', 'zh'] as const;
export type SpokenLanguage = (typeof spokenLanguages)[number];

const smallWords: Readonly<Record<Exclude<SpokenLanguage, 'zh'>, RegExp>> = {
  en: /\b(?:the|a|an|and|with|for|i|me|you|it|of|to|in|my|please|can|what|is|now|make|create|need|want|show|add|hello|hi|three|two|one|first)\b/g,
  fr: /\b(?:le|la|les|un|une|des|du|de|et|avec|pour|je|moi|tu|vous|est|que|quoi|mon|creer|cree|s'il|plait|modele|voudrais|besoin|maintenant|montre|ajoute|bonjour|trois|deux|premier|reseau|sous-reseaux|base|donnees|fichiers)\b/g,
  it: /\b(?:il|lo|la|gli|un|una|uno|dei|delle|di|e|con|per|io|mi|tu|che|cosa|mio|crea|creare|modello|vorrei|bisogno|ora|mostra|aggiungi|ciao|tre|due|primo|rete|sottoreti|coda|funzione)\b/g,
};

/** Undefined when the words do not tell. `folded` as `words.fold` gives it. */
export function languageOf(folded: string): SpokenLanguage | undefined {
  if (/[\u4e00-\u9fff]/.test(folded) && !/[\u3040-\u30ff]/.test(folded)) return 'zh';
  let best: { language: SpokenLanguage; score: number } | undefined;
  for (const language of ['en', 'fr', 'it'] as const) {
    const score = folded.match(smallWords[language])?.length ?? 0;
    if (score > (best?.score ?? 0)) best = { language, score };
  }
  return best?.language;
}

export function isSpoken(tag: string | undefined): tag is SpokenLanguage {
  return spokenLanguages.some((language) => language === tag);
}
