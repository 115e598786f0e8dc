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

/** Sentences per part: a third one would be wrong more often than it would complete the answer. */
const sentencesMax = 2;
/** A further sentence is quoted if it is at least this likely compared with the best one. */
const furtherShare = 0.5;

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
  const sentences = support < model.answersFrom ? [] : quotable(ranked, best);
  return { question, support, sentences, candidates: ranked };
}

function quotable(ranked: readonly RankedCandidate[], best: RankedCandidate): RankedCandidate[] {
  const chosen: RankedCandidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length === sentencesMax || candidate.likelihood < furtherShare * best.likelihood) break;
    if (!chosen.some(({ sentence }) => repeats(sentence.text, candidate.sentence.text)))
      chosen.push(candidate);
  }
  return chosen;
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether one sentence contains the other, apart from punctuation. */
function repeats(one: string, other: string): boolean {
  const [first, second] = [letters(one), letters(other)];
  return first.includes(second) || second.includes(first);
}
