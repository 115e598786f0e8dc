import { createHash } from 'node:crypto';

import type { AnswerModel } from '../../../apps/server/src/agents/answers/extract/answer-model.ts';
import { readQuestion } from '../../../apps/server/src/agents/answers/extract/question.ts';
import type { ReadCandidate } from '../../../apps/server/src/agents/answers/extract/rank-sentences.ts';
import {
  findCandidates,
  rankCandidates,
} from '../../../apps/server/src/agents/answers/extract/rank-sentences.ts';
import {
  featureNames,
  sentencePriors,
} from '../../../apps/server/src/agents/answers/extract/sentence-features.ts';
import { readDocument } from '../../../apps/server/src/agents/answers/extract/source-document.ts';
import {
  supportFeatures,
  supportNames,
  supportPriors,
} from '../../../apps/server/src/agents/answers/extract/support-features.ts';
import type { QuestionTerm } from '../../../apps/server/src/agents/answers/extract/text-terms.ts';
import type { AnswerSet, LabelledQuestion } from '../../../apps/server/src/agents/evaluation/index.ts';
import { askedQuestion, contains, isQuoted } from '../../../apps/server/src/agents/evaluation/index.ts';
import { changedQuestions } from './changed-questions.ts';
import type { LabelledRow } from './fit-logistic.ts';
import { fitLogistic, fitFromPriors } from './fit-logistic.ts';

/** A part of a labelled question with the sentences that may answer it. */
interface TrainingCase {
  readonly question: LabelledQuestion;
  readonly isChanged: boolean;
  readonly candidates: readonly ReadCandidate[];
  readonly fold: number;
}

export const folds = 10;
/** Refuses more than the likelihood alone would: a wrong answer costs more than none. */
const answersFrom = 0.43;
const sentencePenalty = 2.5e-3;
const supportPenalty = 5e-2;
const rankedMax = 25;
const weights = {
  answer: 3,
  unanswerable: 1.5,
  notFound: 0.7,
  withoutFact: 0.4,
  withoutDocument: 0.4,
  changed: 0.8,
} as const;

export function trainingCases(set: AnswerSet, rarity: (term: QuestionTerm) => number): TrainingCase[] {
  const documents = set.documents.map(readDocument);
  const byId = new Map(set.questions.map((question) => [question.id, question]));
  const fold = foldsByDocument(set.questions, byId);
  const changed = changedQuestions(set.questions);
  return [...set.questions, ...changed].flatMap((question) =>
    readQuestion(askedQuestion(question, byId)).map((part) => ({
      question,
      isChanged: changed.includes(question),
      candidates: findCandidates(part, documents, rarity),
      fold: fold(question),
    })),
  );
}

/** Questions about the same documents are in one fold. */
export function foldsByDocument(
  questions: readonly LabelledQuestion[],
  byId: ReadonlyMap<string, LabelledQuestion>,
): (question: LabelledQuestion) => number {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    const parent = parents.get(id) ?? id;
    return parent === id ? id : rootOf(parent);
  };
  for (const { facts } of questions) {
    const [first, ...others] = facts.map(({ document }) => document);
    for (const other of others) parents.set(rootOf(other), rootOf(first ?? other));
  }
  return (question) => {
    const opening = byId.get(question.followUpOf ?? '') ?? question;
    const hash = createHash('sha256').update(rootOf(opening.facts[0]?.document ?? opening.id));
    return hash.digest().readUInt32BE() % folds;
  };
}

/**
 * `held` is the fold that the model must not see; null trains on all. The second model learns from rankings of questions
 * that the ranking model was not trained on: otherwise it would trust them more than those of new questions.
 */
export function trainAnswers(cases: readonly TrainingCase[], held: number | null): AnswerModel {
  const seen = cases.filter(({ fold }) => fold !== held);
  const sentence = fitSentence(seen);
  const rows = Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    if (fold === held) return [];
    const others = fitSentence(seen.filter((one) => one.fold !== fold));
    return seen.filter((one) => one.fold === fold).flatMap((one) => supportRows(one, others));
  });
  const priors = supportNames.map((name) => supportPriors[name]);
  const support = named(supportNames, fitFromPriors(rows, supportPenalty, priors));
  const content = { answersFrom, sentence, support };
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { version: `2-${hash.slice(0, 12)}`, ...content };
}

function fitSentence(cases: readonly TrainingCase[]): AnswerModel['sentence'] {
  return named(
    featureNames,
    fitLogistic(
      cases.flatMap(sentenceRows),
      sentencePenalty,
      featureNames.map((name) => sentencePriors[name] ?? 0),
    ),
  );
}

function named<Name extends string>(
  names: readonly Name[],
  values: readonly number[],
): Readonly<Record<Name, number>> {
  const rounded = names.map((name, at) => [name, Number((values[at] ?? 0).toFixed(4))]);
  return Object.fromEntries(rounded) as Record<Name, number>;
}

const isFact = ({ facts }: LabelledQuestion, candidate: ReadCandidate): boolean =>
  facts.some((fact) => isQuoted(fact, candidate));

function sentenceRows({ question, isChanged, candidates }: TrainingCase): LabelledRow[] {
  if (isChanged) return [];
  return candidates.flatMap((candidate, at) => {
    const positive = question.answerable && isFact(question, candidate);
    const values = featureNames.map((name) => candidate.features[name]);
    return positive || at < rankedMax ? [{ values, positive, weight: positive ? weights.answer : 1 }] : [];
  });
}

/** An answerable question is also a refusable one: without the sentences, and without the documents, that answer it. */
function supportRows(
  { question, isChanged, candidates }: TrainingCase,
  sentence: AnswerModel['sentence'],
): LabelledRow[] {
  const row = (some: readonly ReadCandidate[], positive: boolean, weight: number): LabelledRow[] => {
    const [best, next] = rankCandidates(some, sentence);
    if (best === undefined) return [];
    const features = supportFeatures(best, next);
    return [{ values: supportNames.map((name) => features[name]), positive, weight }];
  };
  if (!question.answerable) return row(candidates, false, isChanged ? weights.changed : weights.unanswerable);
  const says = (candidate: ReadCandidate): boolean =>
    isFact(question, candidate) ||
    question.facts.some(({ answer, accept = [] }) =>
      [answer, ...accept].some((text) => text.length > 2 && contains(candidate.sentence.text, text)),
    );
  const isFound = rankCandidates(candidates, sentence).slice(0, 3).some(says);
  const others = candidates.filter((candidate) => !says(candidate));
  const labelled = new Set(question.facts.map(({ document }) => document));
  return [
    ...row(candidates, isFound, isFound ? 1 : weights.notFound),
    ...row(others, false, weights.withoutFact),
    ...row(
      others.filter(({ document }) => !labelled.has(document.source.id)),
      false,
      weights.withoutDocument,
    ),
  ];
}
