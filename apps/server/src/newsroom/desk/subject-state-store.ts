import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText } from '../../foundation/reader-language.ts';
import type { DigestSentences, SubjectState } from './journal.ts';

interface StoredSentences {
  readonly sentences: DigestSentences;
}
type StoredDigest = StoredSentences | null;

/** The sentences of both digests; the first digest is in the language of the title. */
export function digestsByLanguage(
  title: string,
  { digest, otherDigest }: { readonly digest: StoredDigest; readonly otherDigest: StoredDigest },
): Readonly<Record<ReaderLanguage, DigestSentences | null>> {
  const sentences = (one: StoredDigest) => one && one.sentences.map(({ text, cites }) => ({ text, cites }));
  const own = languageOfText(title);
  const [en, zh] = own === 'en' ? [digest, otherDigest] : [otherDigest, digest];
  return { en: sentences(en), zh: sentences(zh) };
}

type State<Kind extends SubjectState['kind']> = Extract<SubjectState, { readonly kind: Kind }>;

/** Of items that are not withdrawn, with the other item that represents their reading group. */
export async function readItemStates(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, State<'item'>>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<
    Omit<State<'item'>, 'kind' | 'representative'> & {
      readonly id: string;
      readonly representative: State<'item'>['representative'] | null;
    }
  >`
    SELECT item.id, item.title, item.summary, item.category, item.selected, item.reason,
      CASE WHEN other.id IS NOT NULL THEN jsonb_build_object('id', other.id, 'reason', other.reason) END
        AS representative
    FROM record.item JOIN record.reading_group AS reading ON reading.id = item.group_id
    LEFT JOIN record.item AS other ON other.id = reading.representative_id AND other.id <> item.id
    WHERE item.id = ANY (${[...ids]}::uuid[]) AND item.withdrawn_at IS NULL`.execute(database);
  return new Map(
    rows.map(({ id, representative = null, ...row }) => [
      id,
      { kind: 'item', ...row, ...(representative !== null && { representative }) },
    ]),
  );
}

export async function readStoryStates(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly state: State<'story'>; readonly mergedInto: string | null }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{
    readonly id: string;
    readonly title: string;
    readonly merged_into: string | null;
    readonly items: State<'story'>['itemIds'];
    readonly digest: StoredDigest;
    readonly other_digest: StoredDigest;
  }>`
    SELECT story.id, story.title, story.merged_into, story.digest, story.other_digest, ARRAY(
      SELECT item.id FROM record.item WHERE item.story_id = story.id AND item.withdrawn_at IS NULL ORDER BY item.id
    ) AS items
    FROM record.story WHERE story.id = ANY (${[...ids]}::uuid[])`.execute(database);
  return new Map(
    rows.map(({ id, title, items, merged_into: mergedInto, digest, other_digest: otherDigest }) => [
      id,
      {
        state: {
          kind: 'story',
          title,
          itemIds: items,
          digests: digestsByLanguage(title, { digest, otherDigest }),
        },
        mergedInto,
      },
    ]),
  );
}
