import type { GroundingSource } from '@daybook/grounding';
import { checkSentence, contentWords } from '@daybook/grounding';

import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { speaksToMachine } from '../instructions-in-text.ts';

/** The sources that a model's sentence is checked against. */
export interface CopyCheck {
  readonly sources: readonly GroundingSource[];
  /** Content words of the sources, if they are in the language of the sentence; null for a translation. */
  readonly words: ReadonlySet<string> | null;
  readonly language: ReaderLanguage;
  readonly charsMax: number;
}

/** The minimum share of a sentence's words that the item contains; text that follows injected instructions has few. */
const ownWordsMin = 0.5;

/** Kinds of findings about text that the report lacks; the others are about what it says of the text. */
const absent: ReadonlySet<string> = new Set('name number unit date version quotation'.split(' '));

/** The faults that prevent publication of a sentence, worded for a model; empty if it may be published. */
export function faultsOf(sentence: string, check: CopyCheck): string[] {
  return [...formFaults(sentence, check), ...factFaults(sentence, check)];
}

function formFaults(sentence: string, { language, charsMax }: CopyCheck): string[] {
  const faults: string[] = [];
  if (sentence.trim() === '') faults.push('an empty sentence');
  if (sentence.length > charsMax) faults.push(`longer than ${charsMax} characters`);
  if (/https?:|www\.|\b[\w.-]+@[\w-]+\.\w|[<>{}`]|\]\(|\*\*|^#/u.test(sentence))
    faults.push('an address or markup');
  if (/[?？!！]\s*$/u.test(sentence)) faults.push('a question or a call');
  if (/\p{Script=Han}/u.test(sentence) !== (language === 'zh'))
    faults.push('another language than asked for');
  if (speaksToMachine(sentence)) faults.push('an instruction');
  if (/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u.test(sentence)) faults.push('control characters');
  return faults;
}

function factFaults(sentence: string, { sources, words }: CopyCheck): string[] {
  const findings = checkSentence(sentence, sources).map(({ kind, text }) =>
    absent.has(kind) ? `${kind} not in the report: ${text}` : `${kind} differs from the report: ${text}`,
  );
  if (words === null) return findings;
  const own = [...contentWords(sentence)];
  const known = own.filter((word) => words.has(word)).length;
  return own.length > 0 && known / own.length < ownWordsMin
    ? [...findings, 'mostly words that the report does not use']
    : findings;
}
