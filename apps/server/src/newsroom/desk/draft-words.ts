import type { Transaction } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { editions } from '../../record/index.ts';
import type { Draft } from '../editions/draft-edition.ts';
import type { SavedOperation } from '../editions/edition-operation.ts';
import { itemsBehind } from '../editions/rewrite-edition.ts';
import type { WordedItem } from '../editions/write-words.ts';
import type { Aliases, TypedText, UnsupportedText } from './check-typed-text.ts';
import { groundingSources, typedTextFindings } from './check-typed-text.ts';
import type { DecideDeps } from './decide.ts';
import { readSourceTexts } from './source-text-store.ts';

export interface DraftDeps extends DecideDeps {
  /** Of the installation. */
  readonly language: ReaderLanguage;
  /** For the check of typed text. */
  readonly aliases?: Aliases;
}

type Prepared = Result<Omit<SavedOperation, 'id'>, string> | UnsupportedText;

/** The items of a draft, in any language. */
function itemsOf({ entries, flashes, alternatives }: Draft): readonly WordedItem[] {
  const items = [...entries, ...flashes, ...alternatives.map(({ item }) => item)];
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Headline and overview in a language; null if the draft has none in it. */
export function wordsOfDraft(
  { composed }: Draft,
  language: ReaderLanguage,
): { readonly headline: string; readonly overview: string } | null {
  if (composed === null) return null;
  const { contents } = composed;
  const all = [{ ...contents, language: editions.words.ownLanguage(contents) }, ...(contents.versions ?? [])];
  return all.find((words) => words.language === language) ?? null;
}

/** What the texts of the draft's items do not support. */
export async function draftFindings(
  { aliases = [] }: DraftDeps,
  database: Database,
  draft: Draft,
  typed: TypedText,
): Promise<readonly string[]> {
  const texts = await readSourceTexts(
    database,
    itemsOf(draft).map(({ id }) => id),
  );
  return typedTextFindings(typed, groundingSources(texts, { aliases, orItem: true }));
}

interface TypedWords {
  readonly language: ReaderLanguage;
  readonly headline: string;
  readonly overview: string;
}

/** Without those that are as in the draft, or empty. */
export function changedWords(
  draft: Draft,
  { language, ...typed }: TypedWords,
): { readonly headline?: string; readonly overview?: string } {
  const before = wordsOfDraft(draft, language);
  const isChanged = (text: 'headline' | 'overview') => typed[text] !== '' && typed[text] !== before?.[text];
  return {
    ...(isChanged('headline') && { headline: typed.headline }),
    ...(isChanged('overview') && { overview: typed.overview }),
  };
}

/** The typed text must follow from the texts of the draft's items, or state in public that it does not. */
export async function prepareRewrite(
  deps: DraftDeps,
  transaction: Transaction<DB>,
  draft: Draft,
  typed: TypedWords & { readonly unverified?: string | undefined },
): Promise<Prepared> {
  const { language, unverified } = typed;
  const before = wordsOfDraft(draft, language);
  if (draft.composed === null) return refused('not_in_draft');
  if (before === null && (typed.headline === '' || typed.overview === ''))
    return refused('both_texts_needed');
  const words = changedWords(draft, typed);
  if (Object.keys(words).length === 0) return refused('nothing_changed');
  const findings = await draftFindings(deps, transaction, draft, {
    title: words.headline,
    body: words.overview,
  });
  if (findings.length > 0 && unverified === undefined)
    return { ok: false, reason: 'unsupported_text', findings };
  return accepted({
    operation: { op: 'rewrite', language },
    words: { ...words, ...(findings.length > 0 && unverified !== undefined && { unverified }) },
    itemIds: itemsBehind(Object.values(words).join('\n'), itemsOf(draft)),
  });
}

/** An empty note removes an earlier one. A statement without proof is a part of the note. */
export async function prepareNote(
  deps: DraftDeps,
  transaction: Transaction<DB>,
  draft: Draft,
  {
    language,
    note,
    unverified,
  }: { readonly language: ReaderLanguage; readonly note: string; readonly unverified?: string | undefined },
): Promise<Prepared> {
  const findings = note === '' ? [] : await draftFindings(deps, transaction, draft, { body: note });
  if (findings.length > 0 && unverified === undefined)
    return { ok: false, reason: 'unsupported_text', findings };
  return accepted({
    operation: { op: 'note', language },
    words: { note, ...(findings.length > 0 && unverified !== undefined && { unverified }) },
    itemIds: itemsBehind(note, itemsOf(draft)),
  });
}
