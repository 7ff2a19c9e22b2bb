/** Which language a person writes in, told by scripts and by the small words that every sentence has. */
export const spokenLanguages = ['en', 'fr', 'it', 'zh', 'es', 'de', 'pt', 'ja'] as const;
export type SpokenLanguage = (typeof spokenLanguages)[number];

const smallWords: Readonly<Record<Exclude<SpokenLanguage, 'zh' | 'ja'>, RegExp>> = {
  en: words(
    "the an and with for i'm i'd me you it of to my please can what is now make create need want show add hello hi three two first without this called named give list rename which without thanks",
  ),
  fr: words(
    "le la les un une des du de et avec pour je moi tu vous est que quoi mon creer cree s'il plait modele voudrais besoin maintenant montre ajoute bonjour trois deux premier reseau sous-reseaux base donnees fichiers sans affiche liste renomme deploie merci valide",
  ),
  it: words(
    'il lo la gli un una uno dei delle di e con per io mi tu che cosa mio crea creare modello vorrei bisogno ora mostra mostralo mostrami aggiungi ciao tre due primo rete sottoreti coda funzione senza elenca i rinomina rinominalo grazie convalida',
  ),
  es: words(
    'el la los las un una unos y con para por de del que mi crea crear creame plantilla quiero necesito ahora muestra muestrame anade agrega hola tres dos primero red subredes cola funcion base datos sin archivos gracias valida',
  ),
  pt: words(
    'o os as um uma uns e com para por de do da que meu crie criar modelo quero preciso agora mostre mostra adicione ola tres dois duas primeiro rede sub-redes fila funcao banco dados sem arquivos obrigado valide',
  ),
  de: words(
    'der die das ein eine einen einer und mit fur ich mir bitte erstelle erstellen brauche mochte jetzt zeige zeig netzwerk subnetze subnetzen drei zwei vorlage hallo warteschlange datenbank funktion speicher ohne dateien danke was wie kannst nenne',
  ),
};

function words(all: string): RegExp {
  return new RegExp(`(?<![a-z0-9])(?:${all.split(' ').join('|')})(?![a-z0-9])`, 'g');
}

/**
 * Undefined when the words do not tell. Where they tell of two languages alike (« crea un bucket ») it is one of
 * `likely` if that is among them, else the first. `folded` as `words.fold` gives it.
 */
export function languageOf(
  folded: string,
  likely: readonly (string | undefined)[] = [],
): SpokenLanguage | undefined {
  if (/[\u3040-\u30ff]/.test(folded)) return 'ja';
  if (/[\u4e00-\u9fff]/.test(folded)) return 'zh';
  let best: SpokenLanguage[] = [];
  let bestScore = 1;
  for (const language of ['en', 'fr', 'it', 'es', 'pt', 'de'] as const) {
    const score = folded.match(smallWords[language])?.length ?? 0;
    if (score > bestScore) best = [];
    if (score >= bestScore) best.push(language);
    bestScore = Math.max(score, bestScore);
  }
  return best.find((language) => likely.includes(language)) ?? best[0];
}

export function isSpoken(tag: string | undefined): tag is SpokenLanguage {
  return spokenLanguages.some((language) => language === tag);
}
