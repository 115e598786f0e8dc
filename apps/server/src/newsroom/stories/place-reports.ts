import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id, IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { instantToMs } from '../../foundation/instant.ts';
import type { AliasTable } from './matching/aliases.ts';
import { indexTerms } from './matching/entry-terms.ts';
import { readEntry } from './matching/read-entry.ts';
import type { ReadReport } from './matching/reading-groups.ts';
import type { StoredReport } from './matching/stored-report.ts';
import type { StoryModel } from './matching/story-model.ts';
import type { FoundReports, Placement, ReportToPlace } from './placement-batch.ts';
import { PlacementBatch } from './placement-batch.ts';
import { ReportCache } from './report-cache.ts';
import type { ReportQueries } from './report-queries.ts';
import { queriesOf } from './report-queries.ts';
import { wereSplit } from './story-decision-store.ts';
import type { CorpusCounts, IndexedReport } from './story-index-store.ts';
import {
  readCandidates,
  readContents,
  readCorpusCounts,
  readMembers,
  readReadings,
} from './story-index-store.ts';
import type { ComparableReport } from './working-stories.ts';
import { bestHits, WorkingStories } from './working-stories.ts';

const readingCandidatesMax = 20;
/** Measured on real titles: the story that a report joins was never beyond the 24th. */
const candidatesMax = 24;
const postingsPerTermMax = 40;
/** Of the reports that share terms, so many are looked up: the stories of worse ones are never among the best. */
const foundReportsMax = 60;

export interface StoryDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly aliases: AliasTable;
  readonly model: StoryModel;
  /** Of the process; without one every report is read from the index. */
  readonly cache?: ReportCache;
}

export interface ReportToRead {
  readonly title: string;
  readonly originalTitle: string | null;
  readonly summary: string;
  readonly originalUrl: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
}

/** What a report is compared by. Pure, and done before the turn to place is taken. */
export function readReport({ aliases }: Pick<StoryDeps, 'aliases'>, report: ReportToRead): ReadReport {
  const { title, originalTitle, summary, originalUrl } = report;
  const at = instantToMs(reportedAt(report));
  return readEntry({ title, originalTitle, summary, url: originalUrl, at }, aliases);
}

export function reportedAt(report: Pick<ReportToRead, 'publishedAt' | 'discoveredAt'>): EpochMicroseconds {
  return report.publishedAt ?? report.discoveredAt;
}

/**
 * Places reports in the order given: each finds what it would find if those before it had been published. The caller
 * has the turn to place. Cost is bounded: so many terms, so many reports per term, so many stories, so many reports per
 * story; and every statement serves the whole batch.
 */
export async function placeReports(
  deps: StoryDeps,
  transaction: Transaction<DB>,
  reports: readonly ReportToPlace[],
): Promise<readonly Placement[]> {
  if (reports.length === 0) return [];
  const terms = new Set(reports.flatMap(({ report }) => [...indexTerms(report.terms).keys()]));
  const corpus = await readCorpusCounts(transaction, [...terms]);
  const asked = reports.map((report) => ({ report, queries: queriesFor(report, corpus) }));
  const { stories, found } = await readComparable(
    deps,
    transaction,
    asked.map(({ queries }) => queries),
  );
  const batch = new PlacementBatch({
    ...deps,
    corpus,
    stories: new WorkingStories(stories),
    candidatesMax,
    wereSplit: (one, other) => wereSplit(transaction, one, other),
  });
  const placements: Placement[] = [];
  for (const [at, { report, queries }] of asked.entries())
    placements.push(await batch.place(report, queries, found[at] ?? { readings: [], hits: [] }));
  return placements;
}

/** What is rare is counted as of the start of the batch: it only decides which terms are asked for. */
function queriesFor({ report, at }: ReportToPlace, { reports, reportsWith }: CorpusCounts): ReportQueries {
  return queriesOf(report, at, {
    reports: reports + 1,
    reportsWith: (term) => (reportsWith.get(term) ?? 0) + 1,
  });
}

/** Everything that the reports of a batch are compared with, as the index has it. */
async function readComparable(
  { cache = new ReportCache() }: StoryDeps,
  transaction: Transaction<DB>,
  queries: readonly ReportQueries[],
): Promise<{
  readonly found: readonly FoundReports[];
  readonly stories: ReadonlyMap<Id<'story'>, readonly ComparableReport[]>;
}> {
  const readings = await readReadings(
    transaction,
    queries.map(({ reading }) => reading),
    readingCandidatesMax,
  );
  const all = await readCandidates(
    transaction,
    queries.map(({ candidates }) => candidates),
    { postingsPerTermMax, reportsMax: foundReportsMax },
  );
  const hits = queries.map(({ candidates }, at) => bestHits(candidates, all[at] ?? [], candidatesMax));
  const storyIds = new Set(hits.flat().map(({ storyId }) => storyId));
  const members = await readMembers(transaction, [...storyIds]);
  const itemIds = new Set([...readings.flat(), ...[...members.values()].flat()].map(({ itemId }) => itemId));
  const contents = await readCached(cache, transaction, itemIds);
  const comparable = <Report extends IndexedReport>(report: Report) => {
    const stored = contents.get(report.itemId);
    return stored === undefined ? [] : [{ ...report, stored }];
  };
  return {
    found: queries.map((_, at) => ({
      readings: (readings[at] ?? []).flatMap(comparable),
      hits: hits[at] ?? [],
    })),
    stories: new Map(Array.from(members, ([id, reports]) => [id, reports.flatMap(comparable)])),
  };
}

async function readCached(
  cache: ReportCache,
  transaction: Transaction<DB>,
  itemIds: ReadonlySet<Id<'item'>>,
): Promise<ReadonlyMap<Id<'item'>, StoredReport>> {
  const contents = new Map<Id<'item'>, StoredReport>();
  const missing: Id<'item'>[] = [];
  for (const itemId of itemIds) {
    const stored = cache.get(itemId);
    if (stored === undefined) missing.push(itemId);
    else contents.set(itemId, stored);
  }
  for (const [itemId, stored] of await readContents(transaction, missing)) {
    contents.set(itemId, stored);
    cache.add(itemId, stored);
  }
  return contents;
}
