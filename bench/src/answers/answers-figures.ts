import type { AskedQuestion, ReadDocument } from '../../../apps/server/src/agents/answers/extract/index.ts';
import { answerQuestion } from '../../../apps/server/src/agents/answers/extract/index.ts';
import type { QuestionTerm } from '../../../apps/server/src/agents/answers/extract/text-terms.ts';
import type { AnswerSet } from '../../../apps/server/src/agents/evaluation/index.ts';
import { evaluateAnswers } from '../../../apps/server/src/agents/evaluation/index.ts';
import { folds, foldsByDocument, trainAnswers, trainingCases } from './answers-training.ts';

/** Every question answered by a model that was trained on questions about other documents. */
export function heldOutEvaluation(
  set: AnswerSet,
  rarity: (term: QuestionTerm) => number,
  /** The documents that a search finds; by default all. */
  find: ((asked: AskedQuestion) => readonly ReadDocument[]) | null = null,
): ReturnType<typeof evaluateAnswers> {
  const cases = trainingCases(set, rarity);
  const models = Array.from({ length: folds }, (_, fold) => trainAnswers(cases, fold));
  const fold = foldsByDocument(set.questions, new Map(set.questions.map((one) => [one.id, one])));
  return evaluateAnswers(set, (asked, documents, question) => {
    const model = models[fold(question)];
    if (model === undefined) throw new Error(`no model for ${question.id}`);
    return answerQuestion(asked, find?.(asked) ?? documents, { model, rarity });
  });
}
