export type { AnsweredPart } from './answer-question.ts';
export { answerQuestion, shippedAnswerTools } from './answer-question.ts';
export { findContradictions } from './contradictions.ts';
export type { AskedQuestion } from './question.ts';
export { findPassages } from './found-passages.ts';
export { searchQueries, searchWords } from './search-words.ts';
export type { ReadDocument, SourceDocument } from './source-document.ts';
export { readDocument } from './source-document.ts';
