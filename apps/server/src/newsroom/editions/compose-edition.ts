import type { Category, editions } from '../../record/index.ts';
import { categories } from '../../record/index.ts';
import type { EditionCandidate } from './choose-entries.ts';
import { chooseEntries, editionSizes } from './choose-entries.ts';
import type { Aliases, CarriedItem } from './new-fact.ts';
import { withoutReportedStories } from './new-fact.ts';
import type { EditionLanguage } from './write-words.ts';
import { writeWords } from './write-words.ts';

/** Incremented whenever the same material would give another edition. */
export const editionRules = 'reports 2';

export interface EditionSettings {
  /** Of headlines, overviews and the names of sections. */
  readonly language: EditionLanguage;
  readonly aliases: Aliases;
}

/** The complete input of an edition. */
export interface CompositionMaterial {
  readonly candidates: readonly EditionCandidate[];
  /** Items of the candidates' stories in earlier dailies. */
  readonly carried: readonly CarriedItem[];
}

const sectionLabels: Readonly<Record<EditionLanguage, Readonly<Record<Category, string>>>> = {
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

/** Omits candidates whose story was published before and that add no fact. */
export function unreportedCandidates(
  { candidates, carried }: CompositionMaterial,
  { aliases }: EditionSettings,
): readonly EditionCandidate[] {
  return withoutReportedStories(candidates, carried, aliases);
}

function filledMark(entries: readonly EditionCandidate[]): Pick<editions.EditionContents, 'filled'> {
  const filled = entries.filter(({ selected }) => !selected).map(({ id }) => id);
  return filled.length === 0 ? {} : { filled };
}

/** The same candidates always give the same edition; null if no item can be published. */
export function composeEdition(
  kind: editions.EditionKind,
  untold: readonly EditionCandidate[],
  { language }: Pick<EditionSettings, 'language'>,
): editions.EditionContents | null {
  const { entries, flashes } = chooseEntries(untold, editionSizes[kind]);
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
    ...filledMark(entries),
  };
}
