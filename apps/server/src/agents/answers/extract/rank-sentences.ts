import type { AnswerModel } from './answer-model.ts';
import { likelihood } from './answer-model.ts';
import type { Question } from './question.ts';
import type { Candidate, SentenceFeatures } from './sentence-features.ts';
import { documentScore, featureNames, roughScore, sentenceFeatures } from './sentence-features.ts';
import type { ReadDocument } from './source-document.ts';
import type { Rarity } from './term-rarity.ts';

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
  all: readonly ReadDocument[],
  rarity: Rarity,
): ReadCandidate[] {
  const documents = all.filter(({ source }) => isInScope(question, source.kind));
  const scores = documents.map((document) => documentScore(question, document, rarity));
  const best = Math.max(0, ...scores);
  return documents
    .flatMap((document, at) => {
      const documentShare = best === 0 ? 0 : (scores[at] ?? 0) / best;
      return document.sentences.map((sentence) => ({ document, sentence, documentShare }));
    })
    .map((candidate) => ({ candidate, score: roughScore(question, candidate, rarity) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, candidatesMax)
    .map(({ candidate }) => ({ ...candidate, features: sentenceFeatures(question, candidate, rarity) }));
}

function isInScope({ scope }: Question, kind: string): boolean {
  return scope === null || (scope === 'own') === (kind === 'file');
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
