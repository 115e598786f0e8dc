/** The languages that pages, digests and editions are written in. */
export const readerLanguages = ['en', 'zh'] as const;

export type ReaderLanguage = (typeof readerLanguages)[number];

/** By script: a text with a Chinese character is Chinese. */
export function languageOfText(text: string): ReaderLanguage {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}

/** Of a text with this BCP 47 tag, without a tag by its script; null for any other language. */
export function readerLanguageOf(tag: string | null, text: string): ReaderLanguage | null {
  if (tag === null) return languageOfText(text);
  return readerLanguages.find((language) => new RegExp(`^${language}\\b`, 'iu').test(tag)) ?? null;
}

export function otherLanguage(language: ReaderLanguage): ReaderLanguage {
  return language === 'en' ? 'zh' : 'en';
}
