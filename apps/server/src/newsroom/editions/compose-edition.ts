import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { readerLanguages } from '../../foundation/reader-language.ts';
import { categories, editions } from '../../record/index.ts';
import { applyWords } from './apply-words.ts';
import { arrangeEntries } from './arrange-entries.ts';
import type { EditionCandidate } from './choose-entries.ts';
import { editionSizes } from './choose-entries.ts';
import type { SavedOperation, UnappliedOperation } from './edition-operation.ts';
import type { Aliases, CarriedItem } from './new-fact.ts';
import { withoutReportedStories } from './new-fact.ts';
import type { WordedItem } from './write-words.ts';
import { wordsIn, writeWords } from './write-words.ts';

/** Incremented whenever the same material would give another edition. */
const rules = 'reports 3';
/** Of an edition that editors changed; a release without drafts cannot replay it. */
const editedRules = `${rules}, edits 1`;

export function rulesFor(operations: readonly SavedOperation[]): string {
  return operations.length === 0 ? rules : editedRules;
}

export interface EditionSettings {
  /** Of the edition's own headline and overview, and of the names of sections. */
  readonly language: ReaderLanguage;
  readonly aliases: Aliases;
}

/** The best item of an entry's story in a language that the entry is not in. */
export interface AlternativeItem {
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
  readonly alternatives: readonly AlternativeItem[];
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
  alternatives: readonly {
    readonly language: ReaderLanguage;
    readonly entryId: string;
    readonly item: WordedItem;
  }[],
): readonly WordedItem[] {
  const own = alternatives.filter((alternative) => alternative.language === language);
  return entries.map((entry) => own.find(({ entryId }) => entryId === entry.id)?.item ?? entry);
}

export interface ComposedEdition {
  readonly contents: editions.EditionContents;
  readonly unapplied: readonly UnappliedOperation[];
}

interface Composition extends Pick<CompositionMaterial, 'alternatives'> {
  readonly unreported: readonly EditionCandidate[];
  /** What editors may include, beyond `unreported`. */
  readonly candidates?: readonly EditionCandidate[];
  /** Of editors. */
  readonly operations?: readonly SavedOperation[];
}

/** The same material always gives the same edition; null if no item can be published. */
export function composeEdition(
  kind: editions.EditionKind,
  composition: Composition,
  settings: Pick<EditionSettings, 'language'>,
): editions.EditionContents | null {
  return composeEdited(kind, composition, settings)?.contents ?? null;
}

/** The same, with the operations that could not be applied. */
export function composeEdited(
  kind: editions.EditionKind,
  { unreported, candidates = unreported, alternatives, operations = [] }: Composition,
  { language }: Pick<EditionSettings, 'language'>,
): ComposedEdition | null {
  const arranged = arrangeEntries({ candidates, unreported }, editionSizes[kind], operations);
  const { entries, flashes } = arranged;
  if (entries.length === 0) return null;
  const written = readerLanguages.flatMap((one) => wordsIn(one, entriesIn(one, entries, alternatives)) ?? []);
  const own =
    written.find((words) => words.language === language) ?? written[0] ?? writeWords(entries, language);
  const versions = written.filter((words) => words !== own);
  const placed = new Set([...entries, ...flashes].map(({ id }) => id));
  const shown = alternatives.filter(({ entryId }) => placed.has(entryId));
  const contents = {
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
    ...(shown.length === 0 ? {} : { reports: shown.map(alternativeOf).sort(byPlace) }),
  };
  const edited = applyWords(contents, operations);
  return { contents: edited.contents, unapplied: [...arranged.unapplied, ...edited.unapplied] };
}

type EntryAlternative = NonNullable<editions.EditionContents['reports']>[number];

function alternativeOf({ language, entryId, item }: AlternativeItem): EntryAlternative {
  return { language, entryId, itemId: item.id };
}

/** In the order in which the record returns them. */
function byPlace(one: EntryAlternative, other: EntryAlternative): number {
  return `${one.language} ${one.entryId}` < `${other.language} ${other.entryId}` ? -1 : 1;
}
