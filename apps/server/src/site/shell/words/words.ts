import { chineseWords } from './chinese.ts';
import type { Words } from './english.ts';
import { englishWords } from './english.ts';

/** The languages of the interface. News is shown in its own. */
export const interfaceLanguages = ['en', 'zh'] as const;

export type InterfaceLanguage = (typeof interfaceLanguages)[number];

const words: Readonly<Record<InterfaceLanguage, Words>> = { en: englishWords, zh: chineseWords };

export type { Words };

export function wordsOf(language: InterfaceLanguage): Words {
  return words[language];
}
