import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { readerLanguages } from '../../../foundation/reader-language.ts';
import { chineseWords } from './chinese.ts';
import type { Words } from './english.ts';
import { englishWords } from './english.ts';

/** The languages of the interface. */
export const interfaceLanguages = readerLanguages;

export type InterfaceLanguage = ReaderLanguage;

const words: Readonly<Record<InterfaceLanguage, Words>> = { en: englishWords, zh: chineseWords };

export type { Words };

export function wordsOf(language: InterfaceLanguage): Words {
  return words[language];
}
