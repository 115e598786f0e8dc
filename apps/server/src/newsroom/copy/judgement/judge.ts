import type { Source } from '../../../ingest/index.ts';
import type { Category } from '../../../record/index.ts';
import { withoutInstructions } from '../instructions-in-text.ts';
import { titleCharsMax } from '../writer.ts';
import { decideCategory } from './category.ts';
import type { NoNews } from './prefilter.ts';
import { noNews } from './prefilter.ts';
import { reachOf } from './reach.ts';
import { reasonOf } from './reason.ts';
import type { Score, ScoreInput } from './score.ts';
import { scoreOf } from './score.ts';
import { mayBeSelected } from './selection.ts';
import { substanceOf } from './substance.ts';

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
  readonly noNews: NoNews | null;
  readonly score: Score;
  /** One plain sentence. */
  readonly reason: string;
  readonly selectable: boolean;
}

/** The part of a judgement that depends on the content alone, as plain data: the context is added later. */
export interface ReadJudgement extends Pick<ScoreInput, 'tier' | 'firstParty' | 'substance' | 'reach'> {
  readonly category: Category;
  readonly noNews: NoNews | null;
  readonly participation: Source['participation'];
}

/**
 * By rules alone, with or without a model: a text cannot influence its judgement by instructions, because no rule
 * follows them. The same item always gets the same judgement.
 */
export function judge(item: ItemToJudge, language: 'en' | 'zh'): Judgement {
  return judgeRead(readForJudgement(item), item, language);
}

export function readForJudgement({ title: full, text: whole, url, source }: ItemToRead): ReadJudgement {
  const title = full.slice(0, titleCharsMax);
  const text = withoutInstructions(whole);
  return {
    category: decideCategory({ title, text, url, hint: source.categoryHint }).category,
    noNews: noNews({ title, text, url }),
    participation: source.participation,
    tier: source.tier,
    firstParty: source.firstParty,
    substance: substanceOf(title, text),
    reach: reachOf(title),
  };
}

export function judgeRead(
  read: ReadJudgement,
  { novelty, owners }: ItemStanding,
  language: 'en' | 'zh',
): Judgement {
  const { category, noNews: filtered, participation, tier } = read;
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
    noNews: filtered,
    score,
    reason: reasonOf(input, score, language),
    selectable: mayBeSelected({ score: score.value, tier, participation, noNews: filtered }),
  };
}
