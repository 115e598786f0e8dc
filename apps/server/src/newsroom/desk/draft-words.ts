import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { editions } from '../../record/index.ts';
import type { Draft } from '../editions/draft-edition.ts';
import type { SavedOperation } from '../editions/edition-operation.ts';
import { itemsBehind } from '../editions/rewrite-edition.ts';
import type { WordedItem } from '../editions/write-words.ts';
import type { Aliases, UnsupportedText } from './check-typed-text.ts';
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

/** The typed text must follow from the texts of the draft's items, or state in public that it does not. */
export async function prepareRewrite(
  { aliases = [] }: DraftDeps,
  transaction: Transaction<DB>,
  draft: Draft,
  typed: {
    readonly language: ReaderLanguage;
    readonly headline: string;
    readonly overview: string;
    readonly unverified?: string | undefined;
  },
): Promise<Prepared> {
  const { language, unverified } = typed;
  const before = wordsOfDraft(draft, language);
  if (draft.composed === null) return refused('not_in_draft');
  if (before === null && (typed.headline === '' || typed.overview === ''))
    return refused('both_texts_needed');
  const changed = (text: 'headline' | 'overview') => typed[text] !== '' && typed[text] !== before?.[text];
  const words = {
    ...(changed('headline') && { headline: typed.headline }),
    ...(changed('overview') && { overview: typed.overview }),
  };
  if (Object.keys(words).length === 0) return refused('nothing_changed');
  const items = itemsOf(draft);
  const texts = await readSourceTexts(
    transaction,
    items.map(({ id }) => id),
  );
  const sources = groundingSources(texts, { aliases, orItem: true });
  const findings = typedTextFindings({ title: words.headline, body: words.overview }, sources);
  if (findings.length > 0 && unverified === undefined)
    return { ok: false, reason: 'unsupported_text', findings };
  return accepted({
    operation: { op: 'rewrite', language },
    words: { ...words, ...(findings.length > 0 && unverified !== undefined && { unverified }) },
    itemIds: itemsBehind(Object.values(words).join('\n'), items),
  });
}

/** An empty note removes an earlier one. */
export function prepareNote(
  draft: Draft,
  { language, note }: { readonly language: ReaderLanguage; readonly note: string },
): Prepared {
  return accepted({
    operation: { op: 'note', language },
    words: { note },
    itemIds: itemsBehind(note, itemsOf(draft)),
  });
}
