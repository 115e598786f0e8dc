import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { readerLanguages } from '../../foundation/reader-language.ts';
import { categories, editions } from '../../record/index.ts';
import type { EditionCandidate } from './choose-entries.ts';
import { chooseEntries, editionSizes } from './choose-entries.ts';
import type { Aliases, CarriedItem } from './new-fact.ts';
import { withoutReportedStories } from './new-fact.ts';
import type { WordedItem } from './write-words.ts';
import { wordsIn, writeWords } from './write-words.ts';

/** Incremented whenever the same material would give another edition. */
export const editionRules = 'reports 3';

export interface EditionSettings {
  /** Of the edition's own headline and overview, and of the names of sections. */
  readonly language: ReaderLanguage;
  readonly aliases: Aliases;
}

/** The best report of an entry's story in a language that the entry is not in. */
export interface ReportInLanguage {
  readonly language: ReaderLanguage;
  readonly entryId: EditionCandidate['id'];
  readonly item: WordedItem;
}

/** The complete input of an edition. */
export interface CompositionMaterial {
  readonly candidates: readonly EditionCandidate[];
  /** Items of the candidates' stories in earlier dailies. */
  readonly carried: readonly CarriedItem[];
  /** Of its entries and flashes. */
  readonly reports: readonly ReportInLanguage[];
}

/** Omits candidates whose story was published before and that add no fact. */
export function unreportedCandidates(
  { candidates, carried }: Pick<CompositionMaterial, 'candidates' | 'carried'>,
  { aliases }: EditionSettings,
): readonly EditionCandidate[] {
  return withoutReportedStories(candidates, carried, aliases);
}

function filledMark(entries: readonly EditionCandidate[]): Pick<editions.EditionContents, 'filled'> {
  const filled = entries.filter(({ selected }) => !selected).map(({ id }) => id);
  return filled.length === 0 ? {} : { filled };
}

/** The entries as readers of a language get them. */
export function entriesIn<Entry extends WordedItem>(
  language: ReaderLanguage,
  entries: readonly Entry[],
  reports: readonly {
    readonly language: ReaderLanguage;
    readonly entryId: string;
    readonly item: WordedItem;
  }[],
): readonly WordedItem[] {
  const own = reports.filter((report) => report.language === language);
  return entries.map((entry) => own.find(({ entryId }) => entryId === entry.id)?.item ?? entry);
}

/** The same material always gives the same edition; null if no item can be published. */
export function composeEdition(
  kind: editions.EditionKind,
  {
    untold,
    reports,
  }: { readonly untold: readonly EditionCandidate[] } & Pick<CompositionMaterial, 'reports'>,
  { language }: Pick<EditionSettings, 'language'>,
): editions.EditionContents | null {
  const { entries, flashes } = chooseEntries(untold, editionSizes[kind]);
  if (entries.length === 0) return null;
  const written = readerLanguages.flatMap((one) => wordsIn(one, entriesIn(one, entries, reports)) ?? []);
  const own =
    written.find((words) => words.language === language) ?? written[0] ?? writeWords(entries, language);
  const versions = written.filter((words) => words !== own);
  const placed = new Set([...entries, ...flashes].map(({ id }) => id));
  const shown = reports.filter(({ entryId }) => placed.has(entryId));
  return {
    ...own,
    sections: categories
      .map((category) => ({
        key: category,
        label: editions.words.sectionLabels[language][category],
        itemIds: entries.filter((entry) => entry.category === category).map(({ id }) => id),
      }))
      .filter(({ itemIds }) => itemIds.length > 0),
    flashes: flashes.map(({ id }) => id),
    ...filledMark(entries),
    ...(versions.length === 0 ? {} : { versions }),
    ...(shown.length === 0 ? {} : { reports: shown.map(reportOf).sort(byPlace) }),
  };
}

type EntryReport = NonNullable<editions.EditionContents['reports']>[number];

function reportOf({ language, entryId, item }: ReportInLanguage): EntryReport {
  return { language, entryId, itemId: item.id };
}

/** In the order in which the record returns them. */
function byPlace(one: EntryReport, other: EntryReport): number {
  return `${one.language} ${one.entryId}` < `${other.language} ${other.entryId}` ? -1 : 1;
}
