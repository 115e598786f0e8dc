import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { editions } from '../../record/index.ts';
import type { SavedOperation, UnappliedOperation } from './edition-operation.ts';

type Contents = editions.EditionContents;
type Note = NonNullable<Contents['notes']>[number];

const unverifiedNote = { en: 'Not verified against the source: ', zh: '未经来源文本核实：' } as const;

/** A public statement that the sources do not support a text. */
export function statementWithoutProof(unverified: string, language: ReaderLanguage): string {
  return `${unverifiedNote[language]}${unverified}`;
}

/**
 * The edition with the words of editors in place of those by rule, each in its language. Words about an item that is
 * not in the edition are not applied.
 */
export function applyWords(
  composed: Contents,
  operations: readonly SavedOperation[],
): { readonly contents: Contents; readonly unapplied: readonly UnappliedOperation[] } {
  const shown = shownItems(composed);
  const unapplied: UnappliedOperation[] = [];
  const notes = new Map<ReaderLanguage, Note>();
  const rewritten: SavedOperation[] = [];
  let contents = composed;
  for (const saved of operations) {
    const { operation, words, itemIds } = saved;
    if (operation.op !== 'rewrite' && operation.op !== 'note') continue;
    const { language } = operation;
    const cause = faultOf(contents, saved, shown);
    if (cause !== null) {
      unapplied.push({ operation: saved, cause });
      continue;
    }
    if (operation.op === 'note')
      notes.set(language, { language, text: noteText(words, language), cites: itemIds });
    else {
      const { headline, overview } = words ?? {};
      const written = {
        ...(headline !== undefined && { headline }),
        ...(overview !== undefined && { overview }),
      };
      const cites = itemIds.length === 0 ? {} : { cites: itemIds };
      contents = editions.words.withEditorsWords(contents, { words: written, language, ...cites });
      rewritten.push(saved);
    }
  }
  const statements = rewritten.flatMap((saved) => statementOf(contents, saved));
  const all = [...notes.values(), ...statements].filter(({ text }) => text !== '');
  return { contents: all.length === 0 ? contents : { ...contents, notes: all }, unapplied };
}

/** With the statement of a note that the sources do not support. */
function noteText(words: SavedOperation['words'], language: ReaderLanguage): string {
  const { note = '', unverified } = words ?? {};
  return unverified === undefined ? note : `${note} ${statementWithoutProof(unverified, language)}`;
}

/** The statement of an unverified text that no later operation replaced. */
function statementOf(contents: Contents, { operation, words, itemIds }: SavedOperation): readonly Note[] {
  if (operation.op !== 'rewrite' || words?.unverified === undefined) return [];
  const { language } = operation;
  const shown = [contents, ...(contents.versions ?? [])].find(
    (one) => editions.words.ownLanguage(one) === language,
  );
  const isShown = shown?.headline === words.headline || shown?.overview === words.overview;
  const text = statementWithoutProof(words.unverified, language);
  return isShown ? [{ language, text, cites: itemIds }] : [];
}

function faultOf(
  { versions = [], ...contents }: Contents,
  { operation, words, itemIds }: SavedOperation,
  shown: ReadonlySet<Id<'item'>>,
): UnappliedOperation['cause'] | null {
  if (words === null) return 'words_erased';
  if (itemIds.some((id) => !shown.has(id))) return 'not_in_edition';
  if (operation.op !== 'rewrite') return null;
  const languages = [editions.words.ownLanguage(contents), ...versions.map(({ language }) => language)];
  const isWhole = words.headline !== undefined && words.overview !== undefined;
  return isWhole || languages.includes(operation.language) ? null : 'no_text_in_language';
}

/** In any language. */
export function shownItems({ sections, flashes, reports = [] }: Contents): ReadonlySet<Id<'item'>> {
  return new Set([
    ...sections.flatMap(({ itemIds }) => itemIds),
    ...flashes,
    ...reports.map(({ itemId }) => itemId),
  ]);
}
