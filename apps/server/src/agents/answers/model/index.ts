export type { AnswerModels, AnswerProvider } from './answer-models.ts';
