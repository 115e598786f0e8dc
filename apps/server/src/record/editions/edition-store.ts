import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { LockOptions } from '../lock-order.ts';
import type {
  EditionContents,
  EditionKey,
  EditionKind,
  EditionPeriod,
  EditionText,
  EditionWords,
} from './edition.ts';
import { erasedOverviews, neutralHeadline, remaining, replacedOverview } from './edition.ts';

/** False if that edition has been issued. Its first revision must follow in the same transaction. */
export async function insertEdition(
  database: Database,
  key: EditionKey,
  { first, last, window }: EditionPeriod,
): Promise<boolean> {
  const inserted = await database
    .insertInto('record.edition')
    .values({
      ...key,
      period_start: first,
      period_end: last,
      window_start: toTimestamptz(window.start),
      window_end: toTimestamptz(window.end),
      revision: 1,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'period']).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** The current revision's number; null if the edition does not exist. */
export async function selectEditionForUpdate(
  database: Database,
  key: EditionKey,
  { noWait }: LockOptions,
): Promise<number | null> {
  const row = await database
    .selectFrom('record.edition')
    .select('revision')
    .where('kind', '=', key.kind)
    .where('period', '=', key.period)
    .forNoKeyUpdate()
    .$if(noWait, (query) => query.noWait())
    .executeTakeFirst();
  return row?.revision ?? null;
}

export async function insertRevision(
  database: Database,
  key: EditionKey,
  revision: {
    readonly number: number;
    readonly at: EpochMicroseconds;
    readonly contents: EditionContents;
    readonly idempotencyKey?: string | undefined;
  },
): Promise<void> {
  const { number, contents } = revision;
  await database
    .insertInto('record.edition_revision')
    .values({
      ...key,
      revision: number,
      generated_at: toTimestamptz(revision.at),
      idempotency_key: revision.idempotencyKey ?? null,
      headline: contents.headline,
      overview: contents.overview,
      headline_cites: [...contents.headlineCites],
      overview_cites: [...contents.overviewCites],
      sections: JSON.stringify(
        contents.sections.map((section) => ({ key: section.key, label: section.label })),
      ),
      by_editor: [...(contents.byEditor ?? [])],
      filled: [...(contents.filled ?? [])],
      language: contents.language ?? null,
      notes: contents.notes === undefined ? null : JSON.stringify(contents.notes),
    })
    .execute();
  const citations = [
    ...contents.sections.flatMap(({ key: section, itemIds }) => placed(itemIds, section)),
    ...placed(contents.flashes, null),
  ];
  if (citations.length > 0) {
    await database
      .insertInto('record.edition_citation')
      .values(citations.map((citation) => ({ ...key, revision: number, ...citation })))
      .execute();
  }
  await insertVersions(database, { ...key, revision: number }, contents);
  await database
    .updateTable('record.edition')
    .set({ revision: number })
    .where('kind', '=', key.kind)
    .where('period', '=', key.period)
    .execute();
}

async function insertVersions(
  database: Database,
  revision: EditionKey & { readonly revision: number },
  { versions = [], reports = [] }: EditionContents,
): Promise<void> {
  if (versions.length > 0)
    await database
      .insertInto('record.edition_version')
      .values(
        versions.map(({ language, headline, overview, headlineCites, overviewCites, byEditor = [] }) => ({
          ...revision,
          language,
          headline,
          overview,
          headline_cites: [...headlineCites],
          overview_cites: [...overviewCites],
          by_editor: [...byEditor],
        })),
      )
      .execute();
  if (reports.length > 0)
    await database
      .insertInto('record.edition_report')
      .values(
        reports.map(({ language, entryId, itemId }) => ({
          ...revision,
          language,
          entry_id: entryId,
          item_id: itemId,
        })),
      )
      .execute();
}

/** The revision created with this key. */
export async function readRevisionByKey(
  database: Database,
  key: EditionKey,
  idempotencyKey: string,
): Promise<number | null> {
  const row = await database
    .selectFrom('record.edition_revision')
    .select('revision')
    .where('kind', '=', key.kind)
    .where('period', '=', key.period)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  return row?.revision ?? null;
}

function placed(itemIds: readonly Id<'item'>[], section: string | null) {
  return itemIds.map((itemId, position) => ({ item_id: itemId, section, position }));
}

export async function readContents(
  database: Database,
  key: EditionKey,
  revision: number,
): Promise<EditionContents> {
  const words = await database
    .selectFrom('record.edition_revision')
    .selectAll()
    .where('kind', '=', key.kind)
    .where('period', '=', key.period)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  const citations = await database
    .selectFrom('record.edition_citation')
    .select(['section', 'item_id'])
    .where('kind', '=', key.kind)
    .where('period', '=', key.period)
    .where('revision', '=', revision)
    .orderBy('position')
    .execute();
  const itemsIn = (section: string | null): Id<'item'>[] =>
    citations.filter((one) => one.section === section).map((one) => one.item_id as Id<'item'>);
  const sections = words.sections as { key: string; label: string }[];
  return {
    ...wordsOf(words),
    ...(words.language === null ? {} : { language: words.language as ReaderLanguage }),
    sections: sections.map(({ key: section, label }) => ({ key: section, label, itemIds: itemsIn(section) })),
    flashes: itemsIn(null),
    ...remaining({
      filled: words.filled as Id<'item'>[],
      notes: (words.notes ?? []) as unknown as NonNullable<EditionContents['notes']>,
      ...(await readVersions(database, key, revision)),
    }),
  };
}

interface WordsRow {
  readonly headline: string;
  readonly overview: string;
  readonly headline_cites: readonly string[];
  readonly overview_cites: readonly string[];
  readonly by_editor: readonly string[];
}

function wordsOf(row: WordsRow): EditionWords {
  return {
    headline: row.headline,
    overview: row.overview,
    headlineCites: row.headline_cites as Id<'item'>[],
    overviewCites: row.overview_cites as Id<'item'>[],
    ...remaining({ byEditor: row.by_editor as EditionText[] }),
  };
}

/** In the order in which they are composed. */
async function readVersions(
  database: Database,
  key: EditionKey,
  revision: number,
): Promise<Required<Pick<EditionContents, 'versions' | 'reports'>>> {
  const versions = await database
    .selectFrom('record.edition_version')
    .selectAll()
    .where('kind', '=', key.kind)
    .where('period', '=', key.period)
    .where('revision', '=', revision)
    .orderBy('language')
    .execute();
  const reports = await database
    .selectFrom('record.edition_report')
    .select(['language', 'entry_id', 'item_id'])
    .where('kind', '=', key.kind)
    .where('period', '=', key.period)
    .where('revision', '=', revision)
    .orderBy('language')
    .orderBy('entry_id')
    .execute();
  return {
    versions: versions.map((row) => ({ language: row.language as ReaderLanguage, ...wordsOf(row) })),
    reports: reports.map((row) => ({
      language: row.language as ReaderLanguage,
      entryId: row.entry_id as Id<'item'>,
      itemId: row.item_id as Id<'item'>,
    })),
  };
}

export async function insertCorrection(
  database: Database,
  key: EditionKey,
  correction: {
    readonly id: Id<'edition-correction'>;
    readonly revision: number;
    readonly at: EpochMicroseconds;
    readonly note: string;
    readonly correctionId: Id<'correction'>;
  },
): Promise<void> {
  const { id, revision, at, note, correctionId } = correction;
  await database
    .insertInto('record.edition_correction')
    .values({ ...key, id, revision, at: toTimestamptz(at), note, correction_id: correctionId })
    .execute();
}

/** Editions that ever cited the item in any language, in lock order. */
export async function readEditionsCiting(
  database: Database,
  itemId: Id<'item'>,
): Promise<readonly EditionKey[]> {
  const { rows } = await sql<{ kind: EditionKind; period: string }>`
    SELECT kind, period FROM record.edition_citation WHERE item_id = ${itemId}
    UNION SELECT kind, period FROM record.edition_report WHERE item_id = ${itemId}
    ORDER BY kind, period`.execute(database);
  return rows.map(({ kind, period }) => ({ kind, period }));
}

const isWritten = sql`overview <> ALL (${[...erasedOverviews]}::text[])`;

/** Erases text written from an item from all revisions; returns the numbers of those that had any. */
export async function eraseWords(
  database: Database,
  key: EditionKey,
  { itemId, overview }: { readonly itemId: Id<'item'>; readonly overview: string },
): Promise<readonly number[]> {
  const ofEdition = sql`kind = ${key.kind} AND period = ${key.period}`;
  const cited = JSON.stringify([{ cites: [itemId] }]);
  const { rows } = await sql<{ revision: number }>`
    WITH words AS (
      UPDATE record.edition_revision SET
        headline = CASE WHEN ${itemId} = ANY (headline_cites) THEN ${neutralHeadline(key)} ELSE headline END,
        overview = CASE WHEN ${itemId} = ANY (overview_cites) AND ${isWritten} THEN ${overview} ELSE overview END,
        notes = (
          SELECT jsonb_agg(note ORDER BY place) FROM jsonb_array_elements(notes) WITH ORDINALITY AS one (note, place)
          WHERE NOT coalesce(note -> 'cites' ? ${itemId}, false))
      WHERE ${ofEdition}
        AND (${itemId} = ANY (headline_cites || overview_cites) OR notes @> ${cited}::jsonb)
      RETURNING revision
    ), versions AS (
      DELETE FROM record.edition_version
      WHERE ${ofEdition} AND ${itemId} = ANY (headline_cites || overview_cites)
      RETURNING revision
    )
    SELECT revision FROM words UNION SELECT revision FROM versions`.execute(database);
  return rows.map(({ revision }) => revision);
}

/** Erases text that a correction replaces from all revisions; returns the numbers of those that had any. */
export async function eraseReplacedText(
  database: Database,
  key: EditionKey,
  { before, after }: { readonly before: EditionContents; readonly after: EditionContents },
): Promise<readonly number[]> {
  const ofEdition = sql`kind = ${key.kind} AND period = ${key.period}`;
  const [isHeadline, isOverview] = [before.headline !== after.headline, before.overview !== after.overview];
  const replaced = (before.versions ?? []).filter(
    (version) =>
      !(after.versions ?? []).some(
        ({ language, headline, overview }) =>
          language === version.language && headline === version.headline && overview === version.overview,
      ),
  );
  const { rows } = await sql<{ revision: number }>`
    WITH words AS (
      UPDATE record.edition_revision SET
        headline = CASE WHEN ${isHeadline} AND headline <> ${after.headline} THEN ${neutralHeadline(key)} ELSE headline END,
        overview = CASE WHEN ${isOverview} AND overview <> ${after.overview} AND ${isWritten}
          THEN ${replacedOverview} ELSE overview END
      WHERE ${ofEdition}
        AND (${isHeadline} AND headline <> ${after.headline} OR ${isOverview} AND overview <> ${after.overview})
      RETURNING revision
    ), versions AS (
      DELETE FROM record.edition_version
      WHERE ${ofEdition} AND language = ANY (${replaced.map(({ language }) => language)}::text[])
      RETURNING revision
    )
    SELECT revision FROM words UNION SELECT revision FROM versions`.execute(database);
  return rows.map(({ revision }) => revision);
}
