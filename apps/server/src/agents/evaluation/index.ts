export { storedAsFiles } from './as-files.ts';
export { askedQuestion, contains, evaluateAnswers, isQuoted } from './evaluate-answers.ts';
export type { AnswerSet, LabelledQuestion } from './labelled-answers.ts';
export { readAnswerSet } from './labelled-answers.ts';
