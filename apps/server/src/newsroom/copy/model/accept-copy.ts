import type { GroundingSource } from '../../../grounding/index.ts';
import { checkSentence, contentWords } from '../../../grounding/index.ts';
import { speaksToMachine } from '../instructions-in-text.ts';

/** What a model's sentence is checked against. */
export interface CopyCheck {
  readonly sources: readonly GroundingSource[];
  /** Content words of the sources, where they are in the language of the sentence; null for a translation. */
  readonly words: ReadonlySet<string> | null;
  readonly language: 'en' | 'zh';
  readonly charsMax: number;
}

/** Sentences must be made of the item's words at least to this part; what obeys a stranger is mostly made of others. */
const ownWordsMin = 0.5;

/** Why a sentence may not be published, in words that a model can act on; nothing where it may. */
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
  const findings = checkSentence(sentence, sources).map(
    ({ kind, text }) => `${kind} not in the report: ${text}`,
  );
  if (words === null) return findings;
  const own = [...contentWords(sentence)];
  const known = own.filter((word) => words.has(word)).length;
  return own.length > 0 && known / own.length < ownWordsMin
    ? [...findings, 'mostly words that the report does not use']
    : findings;
}
