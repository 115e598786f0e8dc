import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Draft } from '../editions/draft-edition.ts';
import { stateOfDraft, versionOf } from './journal.ts';

/** Drafts of editions as the pages of the desk read them. */
export { findOpenDraft, openDrafts, readDraft } from '../editions/draft-edition.ts';
export type { Draft, OpenDraft } from '../editions/draft-edition.ts';
export type { EditionCandidate } from '../editions/choose-entries.ts';
export { wordsOfDraft } from './draft-words.ts';
export { stateOfDraft } from './journal.ts';
export { readPreviewedDraft } from './preview-draft.ts';

export function versionOfDraft({ operations }: Draft): string {
  return versionOf(stateOfDraft(operations));
}

/** The note as the editors wrote it last, and its statement without proof; empty without one. */
export function noteOfDraft(
  { operations }: Draft,
  language: ReaderLanguage,
): { readonly note: string; readonly unverified: string } {
  const last = operations.findLast(
    ({ operation }) => operation.op === 'note' && operation.language === language,
  );
  return { note: last?.words?.note ?? '', unverified: last?.words?.unverified ?? '' };
}
