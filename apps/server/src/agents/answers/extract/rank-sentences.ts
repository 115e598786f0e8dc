import type { AnswerModel } from './answer-model.ts';
import { likelihood } from './answer-model.ts';
import type { Question } from './question.ts';
import type { Candidate, SentenceFeatures } from './sentence-features.ts';
import { featureNames, roughScore, sentenceFeatures } from './sentence-features.ts';
import type { ReadDocument } from './source-document.ts';
import type { QuestionTerm } from './text-terms.ts';

export interface ReadCandidate extends Candidate {
  readonly features: SentenceFeatures;
}

export interface RankedCandidate extends ReadCandidate {
  readonly likelihood: number;
}

/** Sentences read closely per part of a question. */
const candidatesMax = 40;

/** The sentences that share most with a question. */
export function findCandidates(
  question: Question,
  documents: readonly ReadDocument[],
  rarity: (term: QuestionTerm) => number,
): ReadCandidate[] {
  return documents
    .flatMap((document) => document.sentences.map((sentence) => ({ document, sentence })))
    .map((candidate) => ({ candidate, score: roughScore(question, candidate, rarity) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, candidatesMax)
    .map(({ candidate }) => ({ ...candidate, features: sentenceFeatures(question, candidate, rarity) }));
}

/** Best first. */
export function rankCandidates(
  candidates: readonly ReadCandidate[],
  weights: AnswerModel['sentence'],
): RankedCandidate[] {
  return candidates
    .map((candidate) => ({ ...candidate, likelihood: likelihood(weights, candidate.features, featureNames) }))
    .sort((one, other) => other.likelihood - one.likelihood);
}
