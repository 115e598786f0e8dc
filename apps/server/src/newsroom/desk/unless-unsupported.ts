import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Aliases, TypedText, UnsupportedText } from './check-typed-text.ts';
import { groundingSources, reasonWithoutProof, typedTextFindings } from './check-typed-text.ts';
import { readSourceTexts } from './source-text-store.ts';

/** Publishes typed text that the sources do not support, with this public reason. */
export interface Override {
  readonly unverified?: string | undefined;
}

interface CheckDeps {
  readonly database: Database;
  /** Of the installation. */
  readonly language: ReaderLanguage;
  readonly aliases?: Aliases;
}

/** Runs the correction if the texts of the items support the typed text, or if the editor overrides the check. */
export async function unlessUnsupported<Corrected>(
  { database, language, aliases = [] }: CheckDeps,
  checked: { readonly typed: TypedText; readonly itemIds: readonly Id<'item'>[]; readonly orItem: boolean },
  { reason, unverified }: Override & { readonly reason: string },
  correct: (reason: string) => Promise<Corrected>,
): Promise<Corrected | UnsupportedText> {
  const texts = await readSourceTexts(database, checked.itemIds);
  // An unknown or withdrawn subject is refused by the correction itself.
  if (texts.length === 0) return correct(reason);
  const sources = groundingSources(texts, { aliases, orItem: checked.orItem });
  const findings = typedTextFindings(checked.typed, sources);
  if (findings.length === 0) return correct(reason);
  if (unverified === undefined) return { ok: false, reason: 'unsupported_text', findings };
  return correct(reasonWithoutProof(reason, unverified, language));
}
