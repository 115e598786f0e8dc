import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { EditionKey } from '../editions/edition.ts';
import { composeItemBody } from '../items/item-body.ts';
import { readItemFrom } from '../items/item-store.ts';
import { viewAt } from '../items/record-view.ts';
import type { FoundItem } from './item-reading-store.ts';

/** Words that stood in the record at an earlier moment and are erased since. */
export interface Removal {
  readonly kind: 'item' | 'story' | EditionKey['kind'];
  readonly id: string;
  /** `erased`: it repeated words of an item that was withdrawn or corrected. */
  readonly because: 'withdrawn' | 'corrected' | 'erased';
  readonly at: EpochMicroseconds;
}

/** What the record said at a moment about something. */
export type MomentSubject =
  | { readonly kind: 'item' | 'story'; readonly id: string }
  | { readonly kind: 'ranking' }
  | EditionKey;

/** The item as it was; `withdrawn` also if it was withdrawn since, because its words are gone. */
export async function readItemAt(
  database: Database,
  id: string,
  moment: EpochMicroseconds,
): Promise<FoundItem | null> {
  const item = await readItemFrom(database, id, viewAt(moment).item(sql`${id}::uuid`));
  if (item === null) return null;
  if (item.title === '' && item.withdrawnAt === null) {
    const row = await database
      .selectFrom('record.item')
      .select('withdrawn_at')
      .where('id', '=', id)
      .executeTakeFirst();
    const at = row?.withdrawn_at ?? null;
    return at === null ? null : { state: 'withdrawn', withdrawnAt: fromTimestamptz(at) };
  }
  if (item.withdrawnAt !== null) return { state: 'withdrawn', withdrawnAt: item.withdrawnAt };
  return { state: 'standing', id: item.id, body: composeItemBody(item), storyId: item.storyId };
}

/** The removals since the moment that change what is shown of the subject now. */
export async function readRemovals(
  database: Database,
  subject: MomentSubject,
  moment: EpochMicroseconds,
): Promise<readonly Removal[]> {
  const at = sql`${toTimestamptz(moment)}::timestamptz`;
  const shape = 'period' in subject ? 'edition' : subject.kind;
  const own = 'id' in subject ? erasedTexts(subject, moment) : ownEdition(subject, at);
  const { rows } = await sql<{
    kind: Removal['kind'];
    id: string;
    because: Removal['because'];
    at: string;
  }>`${preparedAs(`read-removals-of-${shape}`)}
    SELECT kind, id, because, at::text FROM (
      SELECT 'item' AS kind, item.id::text AS id, 'withdrawn' AS because, item.withdrawn_at AS at
      FROM (${itemsOf(subject, moment)}) AS shown (id) JOIN record.item ON item.id = shown.id
      WHERE item.withdrawn_at > ${at}
      UNION
      SELECT 'item', shown.id::text, 'corrected', corrected.at
      FROM (${itemsOf(subject, moment)}) AS shown (id)
      CROSS JOIN LATERAL (${erasedAt(sql`'item'`, sql`shown.id::text`, at)}) AS corrected
      ${own}
    ) AS removed ORDER BY at, kind, id`.execute(database);
  return rows.map((row) => ({ ...row, at: fromTimestamptz(row.at) }));
}

/** When words of the revision of the moment were erased. */
function erasedAt(
  kind: RawBuilder<unknown>,
  subject: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    SELECT erased_at AS at FROM record.log_content AS content
    WHERE content.kind = ${kind} AND content.subject = ${subject} AND erased_at > ${at} AND content.revision = coalesce((
      SELECT max(revision) FROM record.log_entry AS entry
      WHERE entry.kind = ${kind} AND entry.subject = ${subject} AND entry.at <= ${at}), 0)`;
}

function erasedTexts(
  { kind, id }: Extract<MomentSubject, { readonly id: string }>,
  moment: EpochMicroseconds,
) {
  // Those of an item are selected with the items that are shown.
  if (kind === 'item') return sql``;
  const at = sql`${toTimestamptz(moment)}::timestamptz`;
  return sql`UNION SELECT 'story', ${id}::text, 'erased', own.at
    FROM (${erasedAt(sql`'story'`, sql`${id}::text`, at)}) AS own
    ${erasedNeighbours(sql`${id}::uuid`, moment)}`;
}

/** A linked story is shown by its title, which can be that of one of its items. */
function erasedNeighbours(id: RawBuilder<unknown>, moment: EpochMicroseconds): RawBuilder<unknown> {
  const view = viewAt(moment);
  const at = sql`${toTimestamptz(moment)}::timestamptz`;
  const told = sql`${view.itemsOf(sql.ref('linked.id'))} AS told`;
  return sql`UNION SELECT 'story', linked.id::text, 'erased', min(removed.at)
    FROM (
      SELECT CASE WHEN link.one_id = ${id} THEN link.other_id ELSE link.one_id END AS id
      FROM ${view.linksOf(id)} AS link
    ) AS linked CROSS JOIN LATERAL (
      SELECT item.withdrawn_at AS at FROM ${told} JOIN record.item ON item.id = told.id
      WHERE told.story_id = linked.id AND item.withdrawn_at > ${at}
      UNION ALL
      SELECT corrected.at FROM ${told}
      CROSS JOIN LATERAL (${erasedAt(sql`'item'`, sql`told.id::text`, at)}) AS corrected
      WHERE told.story_id = linked.id
      UNION ALL
      SELECT own.at FROM (${erasedAt(sql`'story'`, sql`linked.id::text`, at)}) AS own
    ) AS removed GROUP BY linked.id`;
}

function ownEdition(subject: MomentSubject, at: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!('period' in subject)) return sql``;
  const { kind, period } = subject;
  return sql`UNION SELECT ${kind}::text, ${period}::text, 'erased', own.at
    FROM (${erasedAt(sql`${kind}::text`, sql`${period}::text`, at)}) AS own`;
}

/** The items that were shown of it. */
function itemsOf(subject: MomentSubject, moment: EpochMicroseconds): RawBuilder<unknown> {
  const view = viewAt(moment);
  if (subject.kind === 'item') return sql`SELECT ${subject.id}::uuid`;
  if (subject.kind === 'story') {
    const id = sql`${subject.id}::uuid`;
    return sql`SELECT told.id FROM ${view.itemsOf(id)} AS told WHERE told.story_id = ${id}`;
  }
  if (subject.kind === 'ranking') {
    const entries = sql`(
      SELECT item_id FROM record.ranking_entry WHERE ranking_id = (
        SELECT id FROM record.ranking WHERE ${view.isPast(sql`ranked_at`)} ORDER BY ranked_at DESC LIMIT 1))`;
    // An entry is shown by the best report of its story in the language of the reader.
    return sql`
      SELECT item_id FROM ${entries} AS placed
      UNION SELECT told.id FROM ${entries} AS placed
      JOIN ${view.item(sql.ref('placed.item_id'))} AS ranked ON ranked.id = placed.item_id
      JOIN ${view.itemsOf(sql.ref('ranked.story_id'))} AS told ON told.story_id = ranked.story_id`;
  }
  const { kind, period } = subject as EditionKey;
  const revision = sql`(
    SELECT max(revision) FROM record.edition_revision
    WHERE kind = ${kind} AND period = ${period} AND ${view.isPast(sql`generated_at`)})`;
  const cited = (table: string) => sql`
    SELECT item_id FROM ${sql.table(table)}
    WHERE kind = ${kind} AND period = ${period} AND revision = ${revision}`;
  return sql`${cited('record.edition_citation')} UNION ${cited('record.edition_report')}`;
}
