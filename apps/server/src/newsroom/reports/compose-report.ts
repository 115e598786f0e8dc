import type { Category, recorded } from '../../record/index.ts';
import { categories } from '../../record/index.ts';
import type { ReportCandidate } from './choose-entries.ts';
import { chooseEntries, reportSizes } from './choose-entries.ts';
import type { Aliases, CarriedReport } from './new-fact.ts';
import { withoutToldStories } from './new-fact.ts';
import type { ReportLanguage } from './write-words.ts';
import { writeWords } from './write-words.ts';

/** Raised whenever the same material would give another report. */
export const reportRules = 'reports 1';

export interface ReportSettings {
  /** Of headlines, overviews and the names of sections. */
  readonly language: ReportLanguage;
  readonly aliases: Aliases;
}

/** All that a report is made from. */
export interface ReportMaterial {
  readonly candidates: readonly ReportCandidate[];
  /** Reports of the candidates' stories that earlier dailies carried. */
  readonly carried: readonly CarriedReport[];
}

const sectionLabels: Readonly<Record<ReportLanguage, Readonly<Record<Category, string>>>> = {
  en: {
    'ai-models': 'Models',
    'ai-products': 'Products',
    industry: 'Industry',
    paper: 'Papers',
    tip: 'Tips',
    opinion: 'Opinion',
  },
  zh: {
    'ai-models': '模型',
    'ai-products': '产品',
    industry: '行业',
    paper: '论文',
    tip: '技巧',
    opinion: '观点',
  },
};

/** Without those whose story was told and that add nothing. */
export function untoldCandidates(
  { candidates, carried }: ReportMaterial,
  { aliases }: ReportSettings,
): readonly ReportCandidate[] {
  return withoutToldStories(candidates, carried, aliases);
}

/** The same candidates always give the same report; null where there is nothing to report. */
export function composeReport(
  kind: recorded.EditionKind,
  untold: readonly ReportCandidate[],
  { language }: Pick<ReportSettings, 'language'>,
): recorded.EditionContents | null {
  const { entries, flashes } = chooseEntries(untold, reportSizes[kind]);
  if (entries.length === 0) return null;
  return {
    ...writeWords(entries, language),
    sections: categories
      .map((category) => ({
        key: category,
        label: sectionLabels[language][category],
        itemIds: entries.filter((entry) => entry.category === category).map(({ id }) => id),
      }))
      .filter(({ itemIds }) => itemIds.length > 0),
    flashes: flashes.map(({ id }) => id),
  };
}
