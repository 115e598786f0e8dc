import type { Source } from '../../../ingest/index.ts';
import { aiConcepts, aiNames } from './ai-terms.ts';
import type { JudgementModel } from './judgement-model.ts';
import { likelihood, scoreOf } from './linear-model.ts';
import type { TextFeatures } from './text-features.ts';
import type { TextToClassify } from './text-forms.ts';

export type SubjectOfSource = Pick<Source, 'firstParty' | 'categoryHint'>;

export interface Relevance {
  /** 0 to 1: that the text is about the AI industry. */
  readonly likelihood: number;
  readonly isRelevant: boolean;
  /** Certainly about another subject. */
  readonly isOffTopic: boolean;
}

/** Below this likelihood a text is off-topic; a source with a usual category must be contradicted more clearly. */
const offTopicBelow = { withoutHint: 0.02, withHint: 0.005 } as const;

/** The prior of a source whose own subject is AI, in units of the score. */
const prior = 1;
const aiCategories: ReadonlySet<Source['categoryHint']> = new Set(['ai-models', 'ai-products', 'paper']);

const leadChars = 400;

export function relevanceOf(
  { relevance, relevantFrom }: Pick<JudgementModel, 'relevance' | 'relevantFrom'>,
  text: TextToClassify,
  features: TextFeatures,
  { firstParty, categoryHint }: SubjectOfSource,
): Relevance {
  const score = scoreOf(relevance, features);
  const isOwnSubject = firstParty || aiCategories.has(categoryHint);
  const own = likelihood(score);
  return {
    likelihood: own,
    isRelevant: likelihood(score + (isOwnSubject ? prior : 0)) >= relevantFrom,
    isOffTopic: !isOwnSubject && isOffTopic(text, own, categoryHint !== null),
  };
}

/** A name alone can be anything, and what mentions the field is never certainly off the subject. */
export function isOffTopic({ title, text }: TextToClassify, own: number, hasHint: boolean): boolean {
  if (own >= (hasHint ? offTopicBelow.withHint : offTopicBelow.withoutHint)) return false;
  const read = `${title}\n${text.slice(0, leadChars)}`;
  return saysEnough(title) && read.search(aiConcepts) < 0 && !aiNames.test(read);
}

function saysEnough(title: string): boolean {
  const han = title.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han >= 8 || (title.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= 5;
}
