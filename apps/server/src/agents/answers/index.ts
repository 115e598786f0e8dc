/** The exports that pages and wiring use. */
export type { AnswerSources, CitableSource, ReadAnswer, SourceScope } from './answer.ts';
export { selectAnswersTo } from './answer-store.ts';
export { createAnswerRetention } from './answer-retention.ts';
export { createWithdrawnTextRemoval } from './remove-withdrawn-text.ts';
export { AskSchema, questionCharsMax } from './answer-schema.ts';
export type { AnswerDeps } from './answer-deps.ts';
export type { AnswerModels } from './model/answer-models.ts';
export { ask } from './ask.ts';
export { listAnswers, readAnswer, removeAnswer } from './read-answers.ts';
