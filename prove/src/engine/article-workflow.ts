import type { QueueDeclaration } from '../../../apps/server/src/foundation/engine/engine-declarations.ts';

/** What the suite enqueues and the worker processes run, in two versions: the second has a step more. */
export type ArticleVersion = 1 | 2;
export type ArticleStep = 'gather' | 'verify' | 'extract' | 'phrase' | 'check' | 'publish';

/** The steps of a version in their order; `phrase` is paid, `publish` a transaction. */
export const articleSteps: Readonly<Record<ArticleVersion, readonly ArticleStep[]>> = {
  1: ['gather', 'extract', 'phrase', 'check', 'publish'],
  2: ['gather', 'verify', 'extract', 'phrase', 'check', 'publish'],
};

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
