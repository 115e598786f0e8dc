import type { QueueDeclaration } from '../../../apps/server/src/foundation/engine/engine-declarations.ts';

/** What the suite enqueues and the worker processes run: five steps, the third of them paid. */
export const articleSteps = ['gather', 'extract', 'phrase', 'check', 'publish'] as const;
export type ArticleStep = (typeof articleSteps)[number];

export const articleWorkflow = 'article';
export const articleQueue: QueueDeclaration = {
  name: 'articles',
  runningPerProcessMax: 8,
  pollIntervalMs: 250,
};

export interface ArticleInput {
  /** How long each step works. */
  readonly stepMs: number;
}
