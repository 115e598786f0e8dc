import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
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
  readonly story: string;
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
  const byStory = Map.groupBy(items.values(), ({ story }) => story);
  const shown = await readFirstShown(database);
  const merges = await readMerges(database);
  const issued = await readIssued(database);
  return Promise.all(
    issued.map(async (edition) => {
      const entries = await readEntries(database, edition);
      const titles = new Map<string, Set<string>>();
      const headlines = new Map<ReaderLanguage, Set<string>>();
      for (const { itemId, isInSection } of entries) {
        const entry = items.get(itemId);
        if (entry === undefined) continue;
        for (const language of readerLanguages) {
          // Which reports a story had when the edition was made is unknown once it absorbed another one.
          const isSure = entry.language === language || (merges.get(entry.story) ?? 0n) < edition.issuedAt;
          const reports = isSure ? (byStory.get(entry.story) ?? []) : [];
          const own = expected(edition, entry, reports, language, shown);
          const key = `${entry.story} ${language}`;
          titles.set(key, (titles.get(key) ?? new Set()).union(own));
          if (isInSection) headlines.set(language, (headlines.get(language) ?? new Set()).union(own));
        }
      }
      return {
        kind: edition.kind,
        period: edition.period,
        storyOf: (itemId: string) => items.get(itemId)?.story ?? itemId,
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
    .select(['id', 'story_id', 'title', 'language', 'discovered_at', 'published_at', 'withdrawn_at'])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    story: row.story_id ?? row.id,
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

/** When each story last absorbed another one. */
async function readMerges(database: Database): Promise<ReadonlyMap<string, EpochMicroseconds>> {
  const rows = await database
    .selectFrom('record.story')
    .select(['merged_into', 'merged_at'])
    .where('merged_into', 'is not', null)
    .orderBy('merged_at')
    .execute();
  return new Map(
    rows.flatMap(({ merged_into: into, merged_at: at }) =>
      into === null || at === null ? [] : [[into, fromTimestamptz(at)] as const],
    ),
  );
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
