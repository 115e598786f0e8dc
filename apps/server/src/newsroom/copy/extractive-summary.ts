import type { Fact } from '@daybook/grounding';
import { contentWords, factsOf, sharedWords, splitSentences } from '@daybook/grounding';

import { isDoubtful } from './instructions-in-text.ts';
import { bareNames, namesOf } from './introduced-names.ts';
import {
  continuesText,
  isBoilerplate,
  isFirstPerson,
  isSpeech,
  lacksSpeaker,
  leansOnSentenceBefore,
} from './sentence-shape.ts';
import { isChinese, summaryCharsMax } from './writer.ts';

export interface SummaryRequest {
  readonly title: string;
  readonly text: string;
  readonly language: string;
  readonly charsMax: number;
}

interface Candidate {
  readonly text: string;
  /** Its index among the sentences of the text. */
  readonly at: number;
  readonly keys: readonly string[];
  readonly words: ReadonlySet<string>;
  /** Depends on the sentence before it. */
  readonly leans: boolean;
  /** Names that it introduces, and names that another sentence must introduce. */
  readonly introduces: ReadonlySet<string>;
  readonly needs: ReadonlySet<string>;
  /** 0..1: overlap with the subject of title and opening, reduced for mere speech. */
  readonly relevance: number;
  /** The share of the title's terms in it. */
  readonly titleShare: number;
  /** Too short to state a fact. */
  readonly isShort: boolean;
}

/** Sentences beyond this are not read: news comes first, and the work must be bounded. */
const sentencesMax = 120;
const textCharsMax = 60_000;
/** A sentence of less than this part of the limit is short. */
const shortShare = 10;
/** A sentence that shares this many terms with title and opening has the same subject. */
const relevantTerms = 3;
/** A sentence that shares at most this many terms with title and subject sentences is off the subject. */
const offSubjectTerms = 1;
const subjectSentences = 4;
/** The weight of each kind of fact. Quotations add colour; numbers and names are the subject of an item. */
const kindWeights: Readonly<Record<Fact['kind'], number>> = {
  quantity: 1.2,
  name: 1,
  version: 1.1,
  date: 0.7,
  quotation: 0.2,
};

/**
 * The sentences with the most facts, in the order of the text, none cut, within the limit. The same text always gives
 * the same summary. Empty if no whole sentence fits.
 */
export function extractSummary(request: SummaryRequest): string {
  const glue = isChinese(request.language) ? '' : ' ';
  const { sentences, isQuoted } = readSentences(request.text);
  // A sentence that cannot be chosen is not read: some are as long as the text.
  const facts = sentences.map((sentence) => (sentence.length > request.charsMax ? [] : factsOf(sentence)));
  const weights = factWeights(request.title, facts);
  const about = termsOf([request.title, ...sentences.slice(0, 2)].join(' '));
  const titleTerms = termsOf(request.title);
  const names = sentences.map((text) => namesOf(text.slice(0, request.charsMax)));
  const needs = bareNames(request.title, names);
  const title = { plain: plainForm(request.title), words: contentWords(request.title) };
  const candidates = sentences
    .map((text, at): Candidate => ({
      text,
      at,
      keys: (facts[at] ?? []).map(keyOf),
      words: text.length > request.charsMax ? new Set<string>() : contentWords(text),
      leans: at > 0 ? leansOnSentenceBefore(text) : lacksSpeaker(text),
      introduces: names[at]?.full ?? new Set(),
      needs: needs[at] ?? new Set(),
      relevance: text.length <= request.charsMax && isSpeech(text) ? 0 : relevanceOf(text, about),
      titleShare: titleTerms.intersection(termsOf(text)).size / Math.max(3, titleTerms.size),
      isShort: text.length < request.charsMax / shortShare,
    }))
    .filter(
      ({ text, at }) =>
        isQuoted[at] !== true &&
        sentences.indexOf(text) === at &&
        !isRestOf(sentences[at - 1], text) &&
        isUsable(text, request.charsMax, title) &&
        !isDoubtful(text, { isOffSubject: () => isOffSubject(at, request.title, sentences) }),
    );
  const chosen = choose(candidates, weights, {
    charsMax: request.charsMax,
    isFull: request.title !== '' && request.charsMax >= summaryCharsMax(request.language),
    glueChars: glue.length,
  });
  return chosen
    .sort((one, other) => one.at - other.at)
    .map(({ text }) => text)
    .join(glue);
}

/** The sentences, and whether each begins inside a quotation of several sentences. */
function readSentences(text: string): { readonly sentences: string[]; readonly isQuoted: boolean[] } {
  const sentences: string[] = [];
  const isQuoted: boolean[] = [];
  for (const line of text.slice(0, textCharsMax).split('\n')) {
    let open = 0;
    for (const sentence of splitSentences(line)) {
      if (sentences.length === sentencesMax) return { sentences, isQuoted };
      sentences.push(sentence);
      isQuoted.push(open > 0);
      const count = (form: RegExp): number => sentence.match(form)?.length ?? 0;
      open = Math.max(0, open + count(/[“「]/gu) - count(/[”」]/gu));
    }
  }
  return { sentences, isQuoted };
}

/** "The dress is made of pearls ... 6,000 of them.", "“Why?” Quill asked.": the rest of a sentence. */
function isRestOf(before: string | undefined, text: string): boolean {
  if (before === undefined || /\p{Script=Han}/u.test(text)) return false;
  if (/[?!]["”’']$/u.test(before) && speakerAfter.test(text)) return true;
  return / (?:\.\.\.|…)$/u.test(before) && text.split(' ', restWords).length < restWords;
}

const speakerAfter = /^(?:\S+ ){1,3}(?:said|says|asked|asks|added|wrote|exclaimed|replied|told|joked)\b/u;
const restWords = 6;

interface Title {
  readonly plain: string;
  readonly words: ReadonlySet<string>;
}

/** Neither too long nor boilerplate, nor nearly identical to the title. */
function isUsable(text: string, charsMax: number, title: Title): boolean {
  if (text.length > charsMax || isBoilerplate(text) || plainForm(text) === title.plain) return false;
  return sharedWords(title.words, contentWords(text)).share < 0.9;
}

/** Words of four letters and more, pairs of Han characters: enough to distinguish subjects. */
function termsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{Script=Latin}\d][\p{Script=Latin}\d.-]{3,}/gu) ?? [];
  const pairs = (text.match(/\p{Script=Han}{2,}/gu) ?? []).flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
  return new Set([...words, ...pairs]);
}

/** A sentence is not compared with itself: an instruction can be in the opening. */
function isOffSubject(at: number, title: string, sentences: readonly string[]): boolean {
  if (title === '') return false;
  const others = sentences.slice(0, subjectSentences).filter((_, other) => other !== at);
  const subject = termsOf([title, ...others].join(' '));
  return subject.intersection(termsOf(sentences[at] ?? '')).size <= offSubjectTerms;
}

function relevanceOf(sentence: string, about: ReadonlySet<string>): number {
  const terms = termsOf(sentence);
  let shared = 0;
  for (const term of terms) if (about.has(term)) shared += 1;
  return Math.min(1, shared / relevantTerms);
}

function plainForm(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function keyOf({ kind, key }: Fact): string {
  return `${kind} ${key}`;
}

type Weights = ReadonlyMap<string, number>;

/** A fact has more weight if the title contains it, if the text repeats it, and if it occurs early. */
function factWeights(title: string, facts: readonly (readonly Fact[])[]): Weights {
  const inTitle = new Set(factsOf(title).map(keyOf));
  const weights = new Map<string, number>();
  facts.forEach((ofSentence, at) => {
    for (const fact of ofSentence) {
      const key = keyOf(fact);
      const before = weights.get(key);
      if (before !== undefined) weights.set(key, before + 0.1);
      else {
        const early = 0.3 / (1 + at / 4);
        weights.set(key, kindWeights[fact.kind] + early + (inTitle.has(key) ? 0.4 : 0));
      }
    }
  });
  return weights;
}

interface Bound {
  readonly charsMax: number;
  /** Has the length of an item's summary. */
  readonly isFull: boolean;
  readonly glueChars: number;
}

/** The opening is the first of so many sentences that is complete in itself. */
const openingSentences = 6;
/** A later sentence must share so much of the subject: a shorter summary reads better than one with other subjects. */
const nearSentences = 8;
const relatedMin = 0.3;
/** The share of the facts that an opening may cost in a summary that is shorter than an item's. */
const openingWorth = 0.8;

/**
 * Begins with the opening of the text: news states the most important fact first. In a summary that is shorter than
 * an item's, the opening must not displace too many facts.
 */
function choose(candidates: readonly Candidate[], weights: Weights, bound: Bound): Candidate[] {
  const weighed = weighCandidates(candidates, weights, bound);
  const openings = weighed.filter(
    ({ at, leans, needs, text, titleShare }) =>
      at < openingSentences &&
      !leans &&
      needs.size === 0 &&
      !continuesText(text) &&
      (bound.isFull ? !isFirstPerson(text) && (!isSpeech(text) || titleShare > 0.2) : !isSpeech(text)),
  );
  const opening =
    openings.find(({ keys, titleShare, isShort }) => !isShort && (keys.length > 0 || titleShare > 0)) ??
    openings[0];
  if (opening === undefined) return cover([], weighed, bound).sentences;
  // An anecdote can precede the opening.
  const after = weighed.filter(
    (one) =>
      !bound.isFull ||
      ((one.at < nearSentences || one.relevance >= relatedMin) &&
        (one.at >= opening.at || !(isFirstPerson(one.text) || continuesText(one.text)))),
  );
  const opened = cover([opening], after, bound);
  if (bound.isFull) return opened.sentences;
  const free = cover([], weighed, bound);
  return opened.worth >= free.worth * openingWorth ? opened.sentences : free.sentences;
}

/** A sentence with the weight of each of its facts; facts are numbered. */
interface WeighedCandidate extends Candidate {
  /** Its weight apart from its facts. */
  readonly own: number;
  readonly facts: readonly { readonly fact: number; readonly weight: number }[];
}

/** A sentence about another subject has less weight. */
function weighCandidates(
  candidates: readonly Candidate[],
  weights: Weights,
  bound: Bound,
): readonly WeighedCandidate[] {
  const numbers = new Map<string, number>();
  const numberOf = (key: string): number => {
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  };
  return candidates.map((candidate) => {
    const { at, relevance, titleShare, isShort, keys, text } = candidate;
    const about = bound.isFull ? 0.4 + 0.6 * relevance : 0.7 + 0.3 * relevance;
    const position = bound.isFull ? early(at, 0.15) * (isSpeech(text) ? 0.3 : 1) : 1;
    const isFiller = (isShort && keys.length === 0) || isSpeech(text);
    return {
      ...candidate,
      own: bound.isFull && !isFiller ? (2 * early(at, 0) + 6 * titleShare * early(at, 0.2)) * about : 0,
      facts: keys.map((key) => ({
        fact: numberOf(key),
        weight: (weights.get(key) ?? 0) * position * about,
      })),
    };
  });
}

/** The weight falls by half with so many sentences, to no less than the floor. */
const earlyHalf = 4;

function early(at: number, floor: number): number {
  return floor + (1 - floor) * 2 ** (-at / earlyHalf);
}

interface Cover {
  readonly sentences: Candidate[];
  readonly worth: number;
}

/** Up to this many sentences, every combination is tried. */
const exactMax = 14;

function cover(
  begun: readonly WeighedCandidate[],
  candidates: readonly WeighedCandidate[],
  bound: Bound,
): Cover {
  const greedy = fill(begun, candidates, bound);
  return candidates.length > exactMax ? greedy : bestOf(greedy, begun, candidates, bound);
}

/** The chosen sentences and the total weight of their facts, each counted once. */
class Choice {
  readonly sentences: WeighedCandidate[] = [];
  readonly #bound: Bound;
  readonly #best: number[] = [];
  #chars = 0;
  worth = 0;

  constructor(bound: Bound, begun: readonly WeighedCandidate[]) {
    this.#bound = bound;
    for (const one of begun) this.add(one);
  }

  /** "It also …" is chosen only together with the sentence that contains its subject. */
  mayTake({ text, leans, at, words, needs }: WeighedCandidate): boolean {
    const glue = this.sentences.length > 0 ? this.#bound.glueChars : 0;
    if (this.#chars + glue + text.length > this.#bound.charsMax) return false;
    if (this.sentences.some((chosen) => saysTheSame(chosen.words, words))) return false;
    for (const name of needs)
      if (!this.sentences.some((chosen) => chosen.at < at && chosen.introduces.has(name))) return false;
    return !leans || this.sentences.some((chosen) => chosen.at === at - 1);
  }

  gainOf({ facts, own }: WeighedCandidate): number {
    let gain = own;
    for (const { fact, weight } of facts) gain += Math.max(0, weight - (this.#best[fact] ?? 0));
    return gain;
  }

  /** Returns a function that undoes the addition. */
  add(one: WeighedCandidate): () => void {
    const { worth } = this;
    const chars = this.#chars;
    const before = one.facts.map(({ fact }) => this.#best[fact] ?? 0);
    this.#chars += one.text.length + (this.sentences.length > 0 ? this.#bound.glueChars : 0);
    this.worth += this.gainOf(one);
    for (const { fact, weight } of one.facts) this.#best[fact] = Math.max(this.#best[fact] ?? 0, weight);
    this.sentences.push(one);
    return () => {
      this.sentences.pop();
      this.worth = worth;
      this.#chars = chars;
      for (const [at, { fact }] of one.facts.entries()) this.#best[fact] = before[at] ?? 0;
    };
  }
}

const sameShareMin = 0.6;

/** Most words of the shorter sentence occur in the other one. */
function saysTheSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const size = Math.min(one.size, other.size);
  return size > 3 && one.intersection(other).size >= size * sameShareMin;
}

/** Greedy by new facts per character: the usual approximation of maximum coverage within a limit. */
function fill(
  begun: readonly WeighedCandidate[],
  candidates: readonly WeighedCandidate[],
  bound: Bound,
): Cover {
  const choice = new Choice(bound, begun);
  for (;;) {
    let best: WeighedCandidate | undefined;
    let bestRate = 0;
    for (const one of candidates) {
      if (choice.sentences.includes(one) || !choice.mayTake(one)) continue;
      const rate = choice.gainOf(one) / one.text.length ** 0.9;
      if (rate > bestRate) [best, bestRate] = [one, rate];
    }
    if (best === undefined) return { sentences: [...choice.sentences], worth: choice.worth };
    choice.add(best);
  }
}

/** Every combination that fits, for short texts. */
function bestOf(
  greedy: Cover,
  begun: readonly WeighedCandidate[],
  candidates: readonly WeighedCandidate[],
  bound: Bound,
): Cover {
  let best = greedy;
  const choice = new Choice(bound, begun);
  const extend = (from: number): void => {
    if (choice.worth > best.worth + 1e-9) best = { sentences: [...choice.sentences], worth: choice.worth };
    for (let at = from; at < candidates.length; at += 1) {
      const one = candidates[at];
      if (one === undefined || begun.includes(one) || !choice.mayTake(one)) continue;
      const takeBack = choice.add(one);
      extend(at + 1);
      takeBack();
    }
  };
  extend(0);
  return best;
}
