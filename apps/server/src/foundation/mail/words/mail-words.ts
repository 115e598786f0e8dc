import type { ReaderLanguage } from '../../reader-language.ts';
import { chineseMail } from './chinese.ts';
import { englishMail } from './english.ts';

export type MailWords = typeof englishMail;

const catalogues: Readonly<Record<ReaderLanguage, MailWords>> = { en: englishMail, zh: chineseMail };

export function mailWordsOf(language: ReaderLanguage): MailWords {
  return catalogues[language];
}

/** Replaces each `{name}` once: a value that contains `{name}` is not replaced again. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/gu, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}}`);
    return value;
  });
}
