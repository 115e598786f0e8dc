import { sql } from 'kysely';

import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { fromTimestamptz } from '../../../apps/server/src/foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { addMs } from '../../../apps/server/src/foundation/instant.ts';
import { readerLanguageOf, readerLanguages } from '../../../apps/server/src/foundation/reader-language.ts';
import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import type { NewsStage } from '../news/news-stage.ts';

/** An edition, and the titles that readers of each language may get for its entries; from the items alone. */
export interface EditionTruth extends editions.EditionKey {
  /** Story of an entry or report; the item itself if it has none. */
  readonly storyOf: (itemId: string) => string;
  /** Titles of an entry in a language, by its story; empty if no report in the language was published in time. */
  readonly titlesOf: (story: string, language: ReaderLanguage) => ReadonlySet<string>;
  /** Titles that a headline may have; empty if no entry of a section has a report in the language. */
  readonly headlinesIn: (language: ReaderLanguage) => ReadonlySet<string>;
}

interface Item {
  readonly id: string;
  readonly title: string;
  readonly language: ReaderLanguage | null;
  readonly discoveredAt: EpochMicroseconds;
  readonly publishedAt: EpochMicroseconds;
  readonly isWithdrawn: boolean;
}

interface Issued extends editions.EditionKey {
  readonly from: EpochMicroseconds;
  readonly to: EpochMicroseconds;
  readonly issuedAt: EpochMicroseconds;
}

interface Entry {
  readonly itemId: string;
  readonly isInSection: boolean;
}

/** Reports that a daily showed, by the first day that did. */
type FirstShown = ReadonlyMap<string, string>;

/** Newest first. */
export async function readEditionTruth({ database }: NewsStage): Promise<readonly EditionTruth[]> {
  const items = new Map((await readItems(database)).map((item) => [item.id, item]));
  const shown = await readFirstShown(database);
  const issued = await readIssued(database);
  return Promise.all(
    issued.map(async (edition) => {
      const entries = await readEntries(database, edition);
      const then = await readStoriesThen(database, edition);
      const storyOf = (itemId: string): string => then.get(itemId) ?? itemId;
      const byStory = Map.groupBy(items.values(), ({ id }) => storyOf(id));
      const titles = new Map<string, Set<string>>();
      const headlines = new Map<ReaderLanguage, Set<string>>();
      for (const { itemId, isInSection } of entries) {
        const entry = items.get(itemId);
        if (entry === undefined) continue;
        for (const language of readerLanguages) {
          const own = expected(edition, entry, byStory.get(storyOf(itemId)) ?? [], language, shown);
          const key = `${storyOf(itemId)} ${language}`;
          titles.set(key, (titles.get(key) ?? new Set()).union(own));
          if (isInSection) headlines.set(language, (headlines.get(language) ?? new Set()).union(own));
        }
      }
      return {
        kind: edition.kind,
        period: edition.period,
        storyOf,
        titlesOf: (story: string, language: ReaderLanguage) =>
          titles.get(`${story} ${language}`) ?? new Set<string>(),
        headlinesIn: (language: ReaderLanguage) => headlines.get(language) ?? new Set<string>(),
      };
    }),
  );
}

/** Decision 49: its own title in its language, otherwise a report of the story published in the time of the edition. */
function expected(
  { kind, period, from, to, issuedAt }: Issued,
  entry: Item,
  reports: readonly Item[],
  language: ReaderLanguage,
  shown: FirstShown,
): ReadonlySet<string> {
  if (entry.language === language) return new Set([entry.title]);
  const inTime = reports.filter(
    (report) =>
      report.language === language &&
      report.discoveredAt >= from &&
      report.publishedAt >= from &&
      report.publishedAt < to &&
      // A simulated newsroom issues its editions before it reads the feeds of the same instant.
      report.discoveredAt < issuedAt &&
      (kind !== 'daily' || (shown.get(report.id) ?? period) >= period),
  );
  // After the withdrawal of the shown report the entry has its original title again.
  return inTime.some(({ isWithdrawn }) => isWithdrawn)
    ? new Set()
    : new Set(inTime.map(({ title }) => title));
}

type Database = NewsStage['database'];

async function readItems(database: Database): Promise<readonly Item[]> {
  const rows = await database
    .selectFrom('record.item')
    .select(['id', 'title', 'language', 'discovered_at', 'published_at', 'withdrawn_at'])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    language: readerLanguageOf(row.language, row.title),
    discoveredAt: fromTimestamptz(row.discovered_at),
    publishedAt: fromTimestamptz(row.published_at ?? row.discovered_at),
    isWithdrawn: row.withdrawn_at !== null,
  }));
}

async function readIssued(database: Database): Promise<readonly Issued[]> {
  const rows = await database
    .selectFrom('record.edition as edition')
    .innerJoin('record.edition_revision as first', (join) =>
      join
        .onRef('first.kind', '=', 'edition.kind')
        .onRef('first.period', '=', 'edition.period')
        .on('first.revision', '=', 1),
    )
    .select([
      'edition.kind',
      'edition.period',
      'edition.window_start',
      'edition.window_end',
      'first.generated_at',
    ])
    .orderBy('edition.period_start', 'desc')
    .execute();
  return rows.map((row) => ({
    kind: row.kind as editions.EditionKind,
    period: row.period,
    from: addMs(fromTimestamptz(row.window_start), -dayMs),
    to: fromTimestamptz(row.window_end),
    issuedAt: fromTimestamptz(row.generated_at),
  }));
}

async function readEntries(database: Database, { kind, period }: Issued): Promise<readonly Entry[]> {
  const rows = await database
    .selectFrom('record.edition_citation as cited')
    .innerJoin('record.edition as edition', (join) =>
      join
        .onRef('edition.kind', '=', 'cited.kind')
        .onRef('edition.period', '=', 'cited.period')
        .onRef('edition.revision', '=', 'cited.revision'),
    )
    .select(['cited.item_id', 'cited.section'])
    .where('cited.kind', '=', kind)
    .where('cited.period', '=', period)
    .execute();
  return rows.map(({ item_id: itemId, section }) => ({ itemId, isInSection: section !== null }));
}

/** The story of each item at the time of an edition: stories merge and split later. */
type StoriesThen = ReadonlyMap<string, string>;

/** Notes the story of each item when an edition is issued; before any is. */
export async function watchStories({ urls }: NewsStage): Promise<void> {
  const { pool, close } = connectDatabase({
    url: urls.owner,
    name: 'prove languages',
    connectionsMax: 1,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
  });
  try {
    await pool.query(`
      CREATE SCHEMA prove;
      CREATE TABLE prove.story_then (kind text, period text, item_id uuid, story_id uuid);
      CREATE FUNCTION prove.note_stories() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO prove.story_then
          SELECT NEW.kind, NEW.period, id, story_id FROM record.item WHERE story_id IS NOT NULL;
        RETURN NEW;
      END $$;
      CREATE TRIGGER note_stories AFTER INSERT ON record.edition
        FOR EACH ROW EXECUTE FUNCTION prove.note_stories();
      GRANT USAGE ON SCHEMA prove TO PUBLIC;
      GRANT SELECT ON prove.story_then TO PUBLIC`);
  } finally {
    await close();
  }
}

async function readStoriesThen(
  database: Database,
  { kind, period }: editions.EditionKey,
): Promise<StoriesThen> {
  const { rows } = await sql<{ readonly item: string; readonly story: string }>`
    SELECT item_id AS item, story_id AS story FROM prove.story_then
    WHERE kind = ${kind} AND period = ${period}`.execute(database);
  return new Map(rows.map(({ item, story }) => [item, story]));
}

async function readFirstShown(database: Database): Promise<FirstShown> {
  const [cited, reported] = await Promise.all([
    database
      .selectFrom('record.edition_citation')
      .select(['item_id', 'period'])
      .where('kind', '=', 'daily')
      .execute(),
    database
      .selectFrom('record.edition_report')
      .select(['item_id', 'period'])
      .where('kind', '=', 'daily')
      .execute(),
  ]);
  const first = new Map<string, string>();
  for (const { item_id: id, period } of [...cited, ...reported])
    if (period < (first.get(id) ?? '~')) first.set(id, period);
  return first;
}
