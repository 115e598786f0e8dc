import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import type { ReadItem } from '../digest/story-item.ts';
import { haveSameLanguage } from '../writer.ts';

const namesMax = 3;
const attribution: Readonly<Record<ReaderLanguage, RegExp>> = {
  en: / \(reported in Chinese by [^()]*\)(?=\.?$)/u,
  zh: /（据[^（）]*(?:英文|外文)报道）(?=。?$)/u,
};

/** A sentence that rests only on reports in another language says so, and who published them. */
export function attributeSentence(
  sentence: string,
  cited: readonly ReadItem[],
  language: ReaderLanguage,
): string {
  if (cited.some(({ item }) => haveSameLanguage(item.language, language))) return sentence;
  const names = [...new Set(cited.map(({ item }) => item.sourceName.replaceAll(/[()（）]/gu, ' ').trim()))];
  const list = new Intl.ListFormat(language, { type: 'conjunction' }).format(names.slice(0, namesMax));
  const [, stem = sentence, stop = ''] = /^([\s\S]*?)([.。]?)$/u.exec(sentence) ?? [];
  if (language === 'en') return `${stem} (reported in Chinese by ${list})${stop}`;
  const isEnglish = cited.every(({ item }) => /^en\b/iu.test(item.language));
  return `${stem}（据 ${list} ${isEnglish ? '英文' : '外文'}报道）${stop}`;
}

export function withoutAttribution(sentence: string, language: ReaderLanguage): string {
  return sentence.replace(attribution[language], '');
}
