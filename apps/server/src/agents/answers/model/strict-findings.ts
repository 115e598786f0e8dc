import type { GroundingSource } from '@daybook/grounding';
import { checkSentence, entitiesOf, readSource, sameQuantity, statedFacts } from '@daybook/grounding';
import { hanCharacter, toSimplified } from '@daybook/grounding/text';

import { segmentHan } from '../../../language/han-segments.ts';
import type { QuestionTerm, ReadDocument, SourceSentence } from '../extract/index.ts';
import { containsTerm, questionTerms } from '../extract/index.ts';
import type { Passage } from './passages.ts';

/**
 * Why a sentence may not stand beside its citation: a finding of `grounding`, a word that the passage does not use near
 * the facts of the sentence, two names in the other order, another language than the passage, or text that is no sentence.
 */
export type StrictKind =
  | ReturnType<typeof checkSentence>[number]['kind']
  | 'word'
  | 'order'
  | 'language'
  | 'form';

export interface StrictFinding {
  readonly kind: StrictKind;
  readonly text: string;
}

/** A passage, prepared for all sentences that cite it. */
export interface CheckedPassage {
  readonly passage: Passage;
  readonly source: GroundingSource;
}

export function readPassage(passage: Passage): CheckedPassage {
  const { day } = passage.document.source;
  const published = day === null ? null : Temporal.PlainDate.from(day);
  return { passage, source: readSource(passage.text, { published }) };
}

const sentenceCharsMax = 500;
/** Words that report or connect and state nothing themselves; forms as `questionTerms` returns them. */
const lightWords = new Set(
  (
    'sai tell accord report state note add announc call set peopl person compani firm group studi becom make get take go put use run reach launch begin start hold keep give have ago row ' +
    '表示 指出 称 报道 其中 公司 目前 已经 合共 共'
  ).split(' '),
);

/**
 * What one passage does not support in a sentence; empty if the sentence may be published with this citation. Stricter
 * than `checkSentence`: every content word must be in the title, in the sentence of the passage that says most of the
 * same, in its neighbours or in the first one, and names keep their order.
 */
export function strictFindings(
  sentence: string,
  { passage, source }: CheckedPassage,
): readonly StrictFinding[] {
  const form = formFinding(sentence, passage);
  if (form !== null) return [form];
  const findings = checkSentence(sentence, [source]);
  const stated = termsOfSentence(sentence);
  const best = leastOpen(passage.sentences, sentence, stated);
  return [
    ...findings,
    ...best.missing.map(({ key }) => ({ kind: 'word' as const, text: key })),
    ...(best.isReordered ? [{ kind: 'order' as const, text: sentence }] : []),
    ...(best.addsSmallWord ? [{ kind: 'opposite' as const, text: sentence }] : []),
  ];
}

/** The sentences of the passage that support a sentence: the one that says most of the same, and those that complete it. */
export function supportingSentences(
  sentence: string,
  { passage }: CheckedPassage,
): readonly SourceSentence[] {
  let open = termsOfSentence(sentence);
  const chosen: SourceSentence[] = [];
  while (chosen.length < supportingMax) {
    const covered = (one: SourceSentence): number => open.filter((term) => has(one, term)).length;
    const [best] = [...passage.sentences].sort((one, other) => covered(other) - covered(one));
    if (best === undefined || covered(best) === 0) break;
    chosen.push(best);
    open = open.filter((term) => !has(best, term));
  }
  return chosen;
}

const supportingMax = 3;

const has = ({ terms, text }: SourceSentence, term: QuestionTerm): boolean =>
  containsTerm(terms.keys, term) || isPairOfCharacters(term, text);

/** Two characters that are no word are compared one by one: words are divided differently in another sentence. */
function isPairOfCharacters({ key, concepts }: QuestionTerm, text: string): boolean {
  if (key.length !== 2 || !hanCharacter.test(key) || concepts.length > 0 || segmentHan(key).length === 1)
    return false;
  const simple = toSimplified(text);
  return Array.from(key).every((character) => simple.includes(character));
}

function termsOfSentence(sentence: string): QuestionTerm[] {
  return questionTerms(sentence).filter(({ key }) => !lightWords.has(key));
}

interface Alignment {
  readonly missing: readonly QuestionTerm[];
  readonly isReordered: boolean;
  readonly addsSmallWord: boolean;
}

/** How the sentences that share most words with a sentence support it; the best of them decides. */
function leastOpen(
  sentences: ReadDocument['sentences'],
  sentence: string,
  stated: readonly QuestionTerm[],
): Alignment {
  const shared = sentences.map((one) => stated.filter((term) => has(one, term)).length);
  const most = Math.max(0, ...shared);
  const aligned = sentences.flatMap((_, at) =>
    shared[at] === most ? [alignmentAt(sentences, at, sentence, stated)] : [],
  );
  const [best] = aligned.sort(
    (one, other) =>
      one.missing.length - other.missing.length || Number(one.isReordered) - Number(other.isReordered),
  );
  return best ?? { missing: stated, isReordered: false, addsSmallWord: false };
}

function alignmentAt(
  sentences: ReadDocument['sentences'],
  at: number,
  sentence: string,
  stated: readonly QuestionTerm[],
): Alignment {
  const near = [...sentences.slice(Math.max(0, at - 1), at + 2), ...sentences.slice(0, 2)];
  return {
    missing: stated.filter((term) => !near.some((one) => has(one, term))),
    isReordered: isReordered(sentence, sentences[at]?.text ?? ''),
    addsSmallWord: addsSmallWord(sentence, sentences[at]?.text ?? ''),
  };
}

/** Whether names or amounts that both sentences contain have another order. */
function isReordered(sentence: string, supporting: string): boolean {
  const names = entitiesOf(supporting);
  const ofNames = entitiesOf(sentence).map(({ words }) =>
    names.findIndex((name) => name.words.some((word) => words.includes(word))),
  );
  const amounts = statedFacts(supporting).quantities;
  const ofAmounts = statedFacts(sentence).quantities.map((amount) =>
    amounts.findIndex((one) => sameQuantity(amount, one)),
  );
  return [ofNames, ofAmounts].some((found) => {
    const places = found.filter((place) => place >= 0);
    return places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0));
  });
}

/** Words without content of their own that reverse a statement. */
const smallWords = [/\b(?:not|never|no)\b|n['’]t\b|[不未没沒]|並無|并无/giu, /\bup\b/giu, /\bdown\b/giu];

/** Whether a sentence has one of them more often than the one that supports it. */
function addsSmallWord(sentence: string, supporting: string): boolean {
  const count = (text: string, word: RegExp): number => text.match(word)?.length ?? 0;
  return smallWords.some((word) => count(sentence, word) > count(supporting, word));
}

function formFinding(sentence: string, { text: passage }: Passage): StrictFinding | null {
  const found = (kind: 'form' | 'language', text: string): StrictFinding => ({ kind, text });
  if (sentence.length > sentenceCharsMax) return found('form', `longer than ${sentenceCharsMax} characters`);
  if (!/[\p{L}\p{N}]{2}/u.test(sentence)) return found('form', 'no words');
  if (/https?:|www\.|\b[\w.-]+@[\w-]+\.\w|[<>{}`|]|\]\(|\*\*|^#/u.test(sentence))
    return found('form', 'an address or markup');
  if (/[?？]\s*$/u.test(sentence)) return found('form', 'a question');
  if (/\p{Cc}|\p{Cf}/u.test(sentence)) return found('form', 'control characters');
  if (isMostlyHan(sentence) !== isMostlyHan(passage))
    return found('language', 'another language than the passage');
  return null;
}

/** A text may contain names in the other script. */
function isMostlyHan(text: string): boolean {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return count(/\p{Script=Han}/gu) > count(/\p{Script=Latin}+/gu);
}
