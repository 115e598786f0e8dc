import type { Fact } from '../../grounding/index.ts';
import { contentWords, factsOf, sharedWords, splitSentences } from '../../grounding/index.ts';
import { isBoilerplate, isSpeech, leansOnSentenceBefore } from './sentence-shape.ts';
import { isChinese } from './writer.ts';

export interface SummaryRequest {
  readonly title: string;
  readonly text: string;
  readonly language: string;
  readonly charsMax: number;
}

interface Candidate {
  readonly text: string;
  /** Its place among the sentences of the text. */
  readonly at: number;
  readonly keys: readonly string[];
  /** Makes sense only after the sentence before it. */
  readonly leans: boolean;
  /** 0..1: how much it speaks of what title and opening speak of, and whether somebody merely speaks in it. */
  readonly relevance: number;
}

/** Sentences beyond this are not looked at: news stands in front, and the work must be bounded. */
const sentencesMax = 120;
const textCharsMax = 60_000;
/** A sentence that shares this many terms with title and opening is fully about the same. */
const relevantTerms = 3;
/** How much a kind of fact says. Quoted words colour a report; numbers and names are what it is about. */
const kindWeights: Readonly<Record<Fact['kind'], number>> = {
  quantity: 1.2,
  name: 1,
  version: 1.1,
  date: 0.7,
  quotation: 0.2,
};

/**
 * The sentences that carry the facts, in the order of the text, none cut, within the bound. The same text always gives
 * the same summary. Empty where no whole sentence fits.
 */
export function extractSummary(request: SummaryRequest): string {
  const glue = isChinese(request.language) ? '' : ' ';
  const sentences = splitSentences(request.text.slice(0, textCharsMax)).slice(0, sentencesMax);
  // A sentence that cannot be chosen is not read either: some are as long as the text.
  const facts = sentences.map((sentence) => (sentence.length > request.charsMax ? [] : factsOf(sentence)));
  const weights = factWeights(request.title, facts);
  const about = termsOf([request.title, ...sentences.slice(0, 2)].join(' '));
  const candidates = sentences
    .map((text, at): Candidate => ({
      text,
      at,
      keys: (facts[at] ?? []).map(keyOf),
      leans: leansOnSentenceBefore(text),
      relevance: text.length <= request.charsMax && isSpeech(text) ? 0 : relevanceOf(text, about),
    }))
    .filter(({ text, at }) => isUsable(text, request) && sentences.indexOf(text) === at);
  const chosen = choose(candidates, weights, { charsMax: request.charsMax, glueChars: glue.length });
  return chosen
    .sort((one, other) => one.at - other.at)
    .map(({ text }) => text)
    .join(glue);
}

function isUsable(text: string, { title, charsMax }: SummaryRequest): boolean {
  if (text.length > charsMax || isBoilerplate(text)) return false;
  return plainForm(text) !== plainForm(title) && !repeats(text, title);
}

/** The title with a word more or less. */
function repeats(text: string, title: string): boolean {
  return sharedWords(contentWords(title), contentWords(text)).share >= 0.9;
}

/** Words of four letters and more, pairs of Han characters: enough to tell one subject from another. */
function termsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{Script=Latin}\d][\p{Script=Latin}\d.-]{3,}/gu) ?? [];
  const pairs = (text.match(/\p{Script=Han}{2,}/gu) ?? []).flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
  return new Set([...words, ...pairs]);
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

/** A fact counts more when the title has it, when the text returns to it, and when it comes early. */
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
  readonly glueChars: number;
}

/** A summary that begins as the text does reads better; it may cost this much of the facts. */
const openingWorth = 0.8;

/** With the text's own first sentence, unless too many facts would have to make room for it. */
function choose(candidates: readonly Candidate[], weights: Weights, bound: Bound): Candidate[] {
  const opening = candidates.find(({ keys, leans, at }) => at < 4 && keys.length > 0 && !leans);
  const free = cover([], candidates, weights, bound);
  if (opening === undefined) return free;
  const opened = cover([opening], candidates, weights, bound);
  return worth(opened, weights) >= worth(free, weights) * openingWorth ? opened : free;
}

/** So many sentences can be tried in every combination. */
const exactMax = 14;

function cover(
  begun: readonly Candidate[],
  candidates: readonly Candidate[],
  weights: Weights,
  bound: Bound,
): Candidate[] {
  const greedy = fill(begun, candidates, weights, bound);
  return candidates.length > exactMax ? greedy : bestOf(greedy, begun, candidates, weights, bound);
}

/** Greedy by new facts per character: the usual good answer to covering the most within a bound. */
function fill(
  begun: readonly Candidate[],
  candidates: readonly Candidate[],
  weights: Weights,
  bound: Bound,
): Candidate[] {
  const chosen = [...begun];
  for (;;) {
    const before = worth(chosen, weights);
    let best: Candidate | undefined;
    let bestRate = 0;
    for (const one of candidates) {
      const longer = [...chosen, one];
      if (chosen.includes(one) || !mayStand(one, chosen) || !fits(longer, bound)) continue;
      const rate = (worth(longer, weights) - before) / one.text.length ** 0.9;
      if (rate > bestRate) [best, bestRate] = [one, rate];
    }
    if (best === undefined) return chosen;
    chosen.push(best);
  }
}

/** Every combination that fits, for short texts. */
function bestOf(
  greedy: readonly Candidate[],
  begun: readonly Candidate[],
  candidates: readonly Candidate[],
  weights: Weights,
  bound: Bound,
): Candidate[] {
  let best = [...greedy];
  let bestWorth = worth(best, weights);
  const extend = (chosen: readonly Candidate[], from: number): void => {
    const here = worth(chosen, weights);
    if (here > bestWorth + 1e-9) [best, bestWorth] = [[...chosen], here];
    for (let at = from; at < candidates.length; at += 1) {
      const one = candidates[at];
      if (one === undefined || begun.includes(one) || !mayStand(one, chosen)) continue;
      if (fits([...chosen, one], bound)) extend([...chosen, one], at + 1);
    }
  };
  extend(begun, 0);
  return best;
}

function fits(chosen: readonly Candidate[], { charsMax, glueChars }: Bound): boolean {
  const glue = glueChars * Math.max(0, chosen.length - 1);
  return chosen.reduce((sum, { text }) => sum + text.length, glue) <= charsMax;
}

/** "It also …" is chosen only together with the sentence that says what it is. */
function mayStand(one: Candidate, chosen: readonly Candidate[]): boolean {
  return !one.leans || chosen.some(({ at }) => at === one.at - 1);
}

/** What the facts of the sentences weigh, each once; a sentence off the subject counts for less. */
function worth(chosen: readonly Candidate[], weights: Weights): number {
  const best = new Map<string, number>();
  for (const { keys, relevance } of chosen) {
    for (const key of keys)
      best.set(key, Math.max(best.get(key) ?? 0, (weights.get(key) ?? 0) * (0.7 + 0.3 * relevance)));
  }
  let sum = 0;
  for (const value of best.values()) sum += value;
  return sum;
}
