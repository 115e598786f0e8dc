import { readFileSync } from 'node:fs';

import { kinds } from './kind.ts';
import type { Kind } from './kind.ts';
import type { LinearWeights, StoredWeights } from './linear-model.ts';
import { decodeWeights } from './linear-model.ts';

/** Trained offline from labels by hand and by source. */
export interface JudgementModel {
  readonly version: string;
  /** Whether a text is about the AI industry. */
  readonly relevance: LinearWeights;
  /** The minimum likelihood of a text about the AI industry. */
  readonly relevantFrom: number;
  readonly kinds: Readonly<Record<Kind, LinearWeights>>;
}

/** As stored; the figures are those of sites that the model was not trained on. */
export interface StoredJudgementModel extends Pick<JudgementModel, 'version' | 'relevantFrom'> {
  readonly figures: Readonly<Record<string, number>>;
  readonly relevance: StoredWeights;
  readonly kinds: Readonly<Record<Kind, StoredWeights>>;
}

export function parseJudgementModel(text: string): JudgementModel {
  const { version, relevance, relevantFrom, kinds: stored } = JSON.parse(text) as StoredJudgementModel;
  if (typeof version !== 'string' || version === '') throw new TypeError('judgement model: no version');
  if (!(relevantFrom > 0 && relevantFrom < 1))
    throw new TypeError('judgement model: relevantFrom is not a likelihood');
  const decoded = decodeWeights(relevance);
  const byKind = kinds.map((kind) => [kind, decodeWeights(stored[kind])] as const);
  return {
    version,
    relevance: decoded,
    relevantFrom,
    kinds: Object.fromEntries(byKind) as Record<Kind, LinearWeights>,
  };
}

let shipped: JudgementModel | undefined;

/** The model that ships with Daybook; `npm run judgement:train` writes it. */
export function shippedJudgementModel(): JudgementModel {
  shipped ??= parseJudgementModel(readFileSync(new URL('judgement-weights.json', import.meta.url), 'utf8'));
  return shipped;
}
