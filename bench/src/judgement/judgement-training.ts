import { createHash } from 'node:crypto';

import type { Kind } from '../../../apps/server/src/newsroom/copy/judgement/index.ts';
import { kinds, matchRules } from '../../../apps/server/src/newsroom/copy/judgement/index.ts';
import type {
  JudgementModel,
  StoredJudgementModel,
} from '../../../apps/server/src/newsroom/copy/judgement/judgement-model.ts';
import { parseJudgementModel } from '../../../apps/server/src/newsroom/copy/judgement/judgement-model.ts';
import { kindOf } from '../../../apps/server/src/newsroom/copy/judgement/kind.ts';
import { likelihood, scoreOf } from '../../../apps/server/src/newsroom/copy/judgement/linear-model.ts';
import type { StoredWeights } from '../../../apps/server/src/newsroom/copy/judgement/linear-model.ts';
import type { TextFeatures } from '../../../apps/server/src/newsroom/copy/judgement/text-features.ts';
import { featuresOf } from '../../../apps/server/src/newsroom/copy/judgement/text-features.ts';
import type { ClassifiedText } from './classified-texts.ts';
import { fitLinear } from './fit-linear.ts';

export interface TrainingText extends ClassifiedText {
  readonly features: TextFeatures;
}

/** Recall matters more than precision: what is off the subject is declined by a threshold of its own. */
const relevantFrom = 0.35;
const relevanceFit = { rounds: 4, penalty: 1e-3, size: 2 ** 14 } as const;
const kindFit = { rounds: 4, penalty: 1e-3, size: 2 ** 12 } as const;

/** In an order that depends on titles alone, so that training is reproducible. */
export function trainingTexts(texts: readonly ClassifiedText[]): TrainingText[] {
  return texts
    .map((text) => ({
      key: hashOf(text.title),
      text: { ...text, features: featuresOf(text, matchRules(text)) },
    }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ text }) => text);
}

export function trainJudgement(
  texts: readonly TrainingText[],
  figures: StoredJudgementModel['figures'],
): StoredJudgementModel {
  const relevance = fitLinear(
    texts.map(({ features, isRelevant, weight }) => ({ features, positive: isRelevant, weight })),
    relevanceFit,
  );
  const known = texts.filter(({ kind }) => kind !== null);
  const weightsOf = (kind: Kind): StoredWeights =>
    fitLinear(
      known.map((text) => ({ features: text.features, positive: text.kind === kind, weight: text.weight })),
      kindFit,
    );
  const content = {
    relevantFrom,
    relevance,
    kinds: Object.fromEntries(kinds.map((kind) => [kind, weightsOf(kind)])) as Record<Kind, StoredWeights>,
  };
  return { version: `1-${hashOf(JSON.stringify(content)).slice(0, 12)}`, figures, ...content };
}

/** A text of a site that the model was not trained on, and what the model says about it. */
export interface ScoredText extends TrainingText {
  readonly likelihood: number;
  readonly answersRelevant: boolean;
  readonly answeredKind: Kind;
}

export const folds = 5;

/** Every real text, scored by a model that was trained on other sites. */
export function scoreHeldOutSites(texts: readonly TrainingText[]): ScoredText[] {
  return Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const [held, seen] = splitBySite(texts, fold);
    const model = parseJudgementModel(JSON.stringify(trainJudgement(seen, {})));
    return held.map((text) => ({ ...text, ...answerOf(model, text) }));
  });
}

/** Simulated texts are never held out: they are only there to make invented names harmless. */
export function splitBySite<Text extends ClassifiedText>(
  texts: readonly Text[],
  fold: number,
): [Text[], Text[]] {
  const isHeld = ({ set, site }: Text): boolean =>
    set !== 'simulated' && Number.parseInt(hashOf(`site:${site}`).slice(0, 8), 16) % folds === fold;
  return [texts.filter(isHeld), texts.filter((text) => !isHeld(text))];
}

function answerOf(
  model: JudgementModel,
  text: TrainingText,
): Pick<ScoredText, 'likelihood' | 'answersRelevant' | 'answeredKind'> {
  const value = likelihood(scoreOf(model.relevance, text.features));
  return {
    likelihood: value,
    answersRelevant: value >= model.relevantFrom,
    answeredKind: kindOf(model.kinds, text, text.features),
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
