import type { AnswerModel } from './answer-model.ts';
import { likelihood, shippedAnswerModel } from './answer-model.ts';
import type { AskedQuestion, Question } from './question.ts';
import { readQuestion } from './question.ts';
import type { RankedCandidate } from './rank-sentences.ts';
import { findCandidates, rankCandidates } from './rank-sentences.ts';
import type { ReadDocument } from './source-document.ts';
import { supportFeatures, supportNames } from './support-features.ts';
import { rarityOf, shippedFrequencies } from './term-rarity.ts';
import type { QuestionTerm } from './text-terms.ts';

export interface AnswerTools {
  readonly model: AnswerModel;
  readonly rarity: (term: QuestionTerm) => number;
}

/** The sentences that answer a part of a question, best first; none if the documents do not answer it. */
export interface AnsweredPart {
  readonly question: Question;
  /** The likelihood that the best sentence answers the part. */
  readonly support: number;
  readonly sentences: readonly RankedCandidate[];
  /** The sentences that were compared, best first. */
  readonly candidates: readonly RankedCandidate[];
}

let shipped: AnswerTools | undefined;

/** The model and the frequencies that ship with Daybook. */
export function shippedAnswerTools(): AnswerTools {
  shipped ??= { model: shippedAnswerModel(), rarity: rarityOf(shippedFrequencies()) };
  return shipped;
}

/**
 * How many sentences a part quotes, and how likely a further one has to be, compared with the best: a second figure or
 * date is wrong more often than a second sentence about an event.
 */
const limits = {
  figure: { sentencesMax: 2, furtherShare: 0.7 },
  name: { sentencesMax: 2, furtherShare: 0.65 },
  other: { sentencesMax: 3, furtherShare: 0.5 },
} as const;
/** The same for the best sentence of another source, if the question is about sources that may differ. */
const otherSourceShare = 0.25;
const sourcesMax = 3;

export function answerQuestion(
  asked: AskedQuestion,
  documents: readonly ReadDocument[],
  tools: AnswerTools,
): AnsweredPart[] {
  return readQuestion(asked).map((part) => answerPart(part, documents, tools));
}

function answerPart(
  question: Question,
  documents: readonly ReadDocument[],
  { model, rarity }: AnswerTools,
): AnsweredPart {
  const ranked = rankCandidates(findCandidates(question, documents, rarity), model.sentence);
  const [best, next] = ranked;
  if (best === undefined) return { question, support: 0, sentences: [], candidates: [] };
  const support = likelihood(model.support, supportFeatures(best, next), supportNames);
  const quoted = question.wantsEverySource ? bestOfSources(ranked, best) : quotable(question, ranked, best);
  return { question, support, sentences: support < model.answersFrom ? [] : quoted, candidates: ranked };
}

function limitOf(kind: Question['kind']): keyof typeof limits {
  if (kind === 'number' || kind === 'date') return 'figure';
  return kind === 'name' || kind === 'place' ? 'name' : 'other';
}

function quotable(
  { kind }: Question,
  ranked: readonly RankedCandidate[],
  best: RankedCandidate,
): RankedCandidate[] {
  const { sentencesMax, furtherShare } = limits[limitOf(kind)];
  const chosen: RankedCandidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length === sentencesMax || candidate.likelihood < furtherShare * best.likelihood) break;
    if (!chosen.some(({ sentence }) => repeats(sentence.text, candidate.sentence.text)))
      chosen.push(candidate);
  }
  return chosen;
}

/** The best sentence of each source. */
function bestOfSources(ranked: readonly RankedCandidate[], best: RankedCandidate): RankedCandidate[] {
  const chosen = new Map<string, RankedCandidate>();
  for (const candidate of ranked) {
    const { id } = candidate.document.source;
    if (candidate.likelihood < otherSourceShare * best.likelihood || chosen.size === sourcesMax) break;
    if (candidate.features.noSlot === 0 && !chosen.has(id)) chosen.set(id, candidate);
  }
  return chosen.size === 0 ? [best] : [...chosen.values()];
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether one sentence contains the other, apart from punctuation. */
function repeats(one: string, other: string): boolean {
  const [first, second] = [letters(one), letters(other)];
  return first.includes(second) || second.includes(first);
}
