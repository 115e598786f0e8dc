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
import type { Participation } from './selection.ts';
import { mayBeSelected } from './selection.ts';
import { substanceOf } from './substance.ts';

/** What a report itself says. */
export interface ReportToRead {
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly source: {
    readonly tier: 1 | 2 | 3 | 4;
    readonly firstParty: boolean;
    readonly participation: Participation;
    readonly categoryHint: Category | null;
  };
}

/** How it stands among the others. */
export interface ReportStanding {
  readonly novelty: ScoreInput['novelty'];
  /** Independent owners that report the story, this one included. */
  readonly owners: number;
}

/** A report as the newsroom holds it when it judges it. */
export type ReportToJudge = ReportToRead & ReportStanding;

export interface Judgement {
  readonly category: Category;
  readonly noNews: NoNews | null;
  readonly score: Score;
  /** One plain sentence. */
  readonly reason: string;
  readonly selectable: boolean;
}

/**
 * By rules alone, with or without a model: what a text says cannot talk a judge into anything, because nothing here
 * follows instructions. The same report always gets the same judgement.
 */
export function judge(report: ReportToJudge, language: 'en' | 'zh'): Judgement {
  const { novelty, owners } = report;
  return readForJudgement(report, language)({ novelty, owners });
}

/** The same in two steps: the text is read now, how the report stands is said later, under a lock. */
export function readForJudgement(
  report: ReportToRead,
  language: 'en' | 'zh',
): (standing: ReportStanding) => Judgement {
  const { url, source } = report;
  const title = report.title.slice(0, titleCharsMax);
  const text = withoutInstructions(report.text);
  const filtered = noNews({ title, text, url });
  const { category } = decideCategory({ title, text, url, hint: source.categoryHint });
  const own = {
    tier: source.tier,
    firstParty: source.firstParty,
    substance: substanceOf(title, text),
    reach: reachOf(title),
  };
  return (standing) => {
    const input: ScoreInput = { ...own, ...standing };
    const score = scoreOf(input);
    return {
      category,
      noNews: filtered,
      score,
      reason: reasonOf(input, score, language),
      selectable: mayBeSelected({
        score: score.value,
        tier: source.tier,
        participation: source.participation,
        noNews: filtered,
      }),
    };
  };
}
