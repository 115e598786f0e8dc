import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import type { Source } from '../../../ingest/index.ts';
import type { Category } from '../../../record/index.ts';
import { withoutInstructions } from '../instructions-in-text.ts';
import { titleCharsMax } from '../writer.ts';
import { chooseCategory, matchRules } from './category.ts';
import { shippedJudgementModel } from './judgement-model.ts';
import type { Kind } from './kind.ts';
import { isListing, kindOf } from './kind.ts';
import { reachOf } from './reach.ts';
import { reasonOf } from './reason.ts';
import type { Relevance } from './relevance.ts';
import { relevanceOf } from './relevance.ts';
import type { Score, ScoreInput } from './score.ts';
import { scoreOf } from './score.ts';
import { mayBeSelected } from './selection.ts';
import { substanceOf } from './substance.ts';
import { featuresOf } from './text-features.ts';

/** The content of an item. */
export interface ItemToRead {
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly source: {
    readonly tier: 1 | 2 | 3 | 4;
    readonly firstParty: boolean;
    readonly participation: Source['participation'];
    readonly categoryHint: Category | null;
  };
}

/** The context of an item among the others. */
export interface ItemStanding {
  readonly novelty: ScoreInput['novelty'];
  /** Independent owners that report the story, this one included. */
  readonly owners: number;
}

/** An item with all input of its judgement. */
export type ItemToJudge = ItemToRead & ItemStanding;

export interface Judgement {
  readonly category: Category;
  readonly kind: Kind;
  readonly relevance: Relevance;
  readonly score: Score;
  /** One plain sentence. */
  readonly reason: string;
  readonly selectable: boolean;
}

/** The part of a judgement that depends on the content alone, as plain data: the context is added later. */
export interface ReadJudgement extends Pick<ScoreInput, 'tier' | 'firstParty' | 'substance' | 'reach'> {
  readonly category: Category;
  readonly kind: Kind;
  /** Whether it is a list, an offer or a lesson, which reports no event. */
  readonly isListing: boolean;
  readonly relevance: Relevance;
  readonly participation: Source['participation'];
  /** An instruction to machines was removed from it, and no editor has accepted it: it is not selected. */
  readonly isUnderReview?: boolean;
}

/**
 * By rules alone, with or without a model: a text cannot influence its judgement by instructions, because no rule
 * follows them. The same item always gets the same judgement.
 */
export function judge(item: ItemToJudge, language: ReaderLanguage): Judgement {
  return judgeRead(readForJudgement(item), item, language);
}

export function readForJudgement({ title: full, text: whole, url, source }: ItemToRead): ReadJudgement {
  const title = full.slice(0, titleCharsMax);
  const read = { title, text: withoutInstructions(whole), url };
  const matched = matchRules(read);
  const features = featuresOf(read, matched);
  const model = shippedJudgementModel();
  const kind = kindOf(model.kinds, read, features);
  return {
    category: chooseCategory(matched, source.categoryHint).category,
    kind,
    isListing: isListing(kind, read),
    relevance: relevanceOf(model, read, features, source),
    participation: source.participation,
    tier: source.tier,
    firstParty: source.firstParty,
    substance: substanceOf(title, read.text),
    reach: reachOf(title),
  };
}

export function judgeRead(
  read: ReadJudgement,
  { novelty, owners }: ItemStanding,
  language: ReaderLanguage,
): Judgement {
  const { category, kind, relevance, participation, tier } = read;
  const input: ScoreInput = {
    tier,
    firstParty: read.firstParty,
    substance: read.substance,
    reach: read.reach,
    novelty,
    owners,
  };
  const score = scoreOf(input);
  return {
    category,
    kind,
    relevance,
    score,
    reason: reasonOf(input, score, language),
    selectable:
      read.isUnderReview !== true &&
      mayBeSelected({
        score: score.value,
        tier,
        participation,
        kind,
        isRelevant: relevance.isRelevant,
      }),
  };
}
