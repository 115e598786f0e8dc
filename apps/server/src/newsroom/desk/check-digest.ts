import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Aliases } from './check-typed-text.ts';
import { groundingSources, typedTextFindings } from './check-typed-text.ts';
import type { DigestSentences } from './journal.ts';
import { readSourceTextsById } from './source-text-store.ts';
import { readStoryStates } from './subject-state-store.ts';

/** The sentences that differ from the present digest, with what the texts of their items do not support. */
export async function digestFindings(
  { database, aliases = [] }: { readonly database: Database; readonly aliases?: Aliases },
  storyId: Id<'story'>,
  language: ReaderLanguage,
  sentences: DigestSentences,
): Promise<readonly { readonly cites: readonly Id<'item'>[]; readonly findings: readonly string[] }[]> {
  const before = (await readStoryStates(database, [storyId])).get(storyId)?.state.digests?.[language] ?? [];
  const known = new Set(before.map((sentence) => canonicalJson(sentence)));
  const typed = sentences.filter((sentence) => !known.has(canonicalJson(sentence)));
  const texts = await readSourceTextsById(database, [...new Set(typed.flatMap(({ cites }) => cites))]);
  return typed.flatMap(({ text, cites }) => {
    const cited = cites.flatMap((id) => texts.get(id) ?? []);
    const findings = typedTextFindings({ body: text }, groundingSources(cited, { aliases, orItem: true }));
    return findings.length === 0 ? [] : [{ cites, findings }];
  });
}
