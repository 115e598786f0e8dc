import type { Tile } from '@daybook/client/log';
import type pg from 'pg';

import type { Database } from '../foundation/database/database.ts';
import { limitStatements } from '../foundation/database/session-limits.ts';
import type { Id } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import { readArchiveFile, readArchiveFiles } from './archive-files/archive-file-store.ts';
import { readEdition, readEditionCalendar, readEditionEntries } from './editions/edition-reading-store.ts';
import type { EditionKind } from './editions/edition.ts';
import { viewAt } from './items/record-view.ts';
import type { LoggedKind } from './log/log-entry.ts';
import { readTileHashes } from './log/tile-store.ts';
import type { CorrectionsRequest } from './reading/correction-reading-store.ts';
import { readCorrections } from './reading/correction-reading-store.ts';
import { readItemContext, readNewestItemAt } from './reading/item-context-store.ts';
import type { ItemsRequest } from './reading/item-reading-store.ts';
import { readItem, readItemRows } from './reading/item-reading-store.ts';
import { readChangesPage, readPositionBefore, readSnapshotPage } from './reading/ledger-reading-store.ts';
import { readLogEpochs, readLogHead, readLogLeaves } from './reading/log-reading-store.ts';
import type { MomentSubject } from './reading/moment-reading-store.ts';
import { readItemAt, readRemovals } from './reading/moment-reading-store.ts';
import { readLatestRanking, readRankPositions } from './reading/ranking-reading-store.ts';
import type { ArchiveRequest } from './reading/read-archive.ts';
import { readArchivePage } from './reading/read-archive.ts';
import type { HistoryKind } from './reading/read-history.ts';
import { readHistory } from './reading/read-history.ts';
import type { WantedProof } from './reading/read-proof.ts';
import { readProof } from './reading/read-proof.ts';
import type { ArchiveSearch } from './reading/search-archive.ts';
import { searchArchive } from './reading/search-archive.ts';
import { searchItems, searchItemsForEach } from './reading/search-items.ts';
import { SearchQueue } from './reading/search-queue.ts';
import { readSetBuckets } from './reading/set-bucket-store.ts';
import type { SourcesRequest } from './reading/source-reading-store.ts';
import { readSources } from './reading/source-reading-store.ts';
import {
  readRecentStoryIds,
  readItemCounts,
  readStory,
  readStoryCoverage,
} from './reading/story-reading-store.ts';

export interface RecordReaderDeps {
  /** A login with read access to the record is sufficient. */
  readonly database: Database;
  /** The same connections, for COPY. */
  readonly pool: pg.Pool;
  /** The same login with a small pool of its own: searches wait only for each other. */
  readonly searchDatabase: Database;
}

/** The number of concurrent searches; `searchDatabase` should have as many connections. */
export const searchesRunningMax = 4;
const searchesWaitingMax = 32;

/** A slower search statement is useless to its reader and delays other searches. */
const searchTimeoutMs = 2_000;

/** All queries of the record. Each method is one statement, and so reads one snapshot. */
export type RecordReader = ReturnType<typeof createRecordReader>;

export function createRecordReader({ database, pool, searchDatabase }: RecordReaderDeps) {
  const searches = new SearchQueue({ runningMax: searchesRunningMax, waitingMax: searchesWaitingMax });
  return {
    items: (request: ItemsRequest) => readItemRows(database, request),
    /** Throws a problem if too many searches wait, or one takes too long. */
    searchItems: (request: ItemsRequest, q: string) =>
      searches.run(() => inTime(searchDatabase, (transaction) => searchItems(transaction, request, q))),
    /** Several queries in one search. */
    searchItemsForEach: (request: ItemsRequest, queries: readonly string[]) =>
      searches.run(() =>
        inTime(searchDatabase, (transaction) => searchItemsForEach(transaction, request, queries)),
      ),
    /** With words, it counts as a search. */
    archive: (request: ArchiveRequest) =>
      request.q === null
        ? readArchivePage(database, request)
        : searches.run(() => inTime(searchDatabase, (transaction) => readArchivePage(transaction, request))),
    archiveFiles: () => readArchiveFiles(database),
    /** Null without a valid file of the month. */
    archiveFile: (month: string) => readArchiveFile(database, month),
    /** Selected items of all time by words; counts as a search. */
    searchArchive: (request: ArchiveSearch) =>
      searches.run(() => inTime(searchDatabase, (transaction) => searchArchive(transaction, request))),
    item: (id: string) => readItem(database, id),
    itemContext: (id: Id<'item'>) => readItemContext(database, id),
    newestItemAt: () => readNewestItemAt(database),
    latestRanking: (language: ReaderLanguage) => readLatestRanking(database, language),
    rankPositions: (spans: Parameters<typeof readRankPositions>[1]) => readRankPositions(database, spans),
    story: (id: string) => readStory(database, id),
    storyCoverage: (id: Id<'story'>) => readStoryCoverage(database, id),
    reportCounts: (ids: readonly Id<'story'>[]) => readItemCounts(database, ids),
    recentStoryIds: (storiesMax: number) => readRecentStoryIds(database, storiesMax),
    /** `period` may be `latest`. */
    edition: (kind: EditionKind, period: string) => readEdition(database, kind, period),
    editionEntries: (kind: EditionKind, entriesMax: number) => readEditionEntries(database, kind, entriesMax),
    editionCalendar: (kind: EditionKind, days: { readonly from: string; readonly to: string }) =>
      readEditionCalendar(database, kind, days),
    corrections: (request: CorrectionsRequest) => readCorrections(database, request),
    sources: (request: SourcesRequest) => readSources(database, request),
    snapshotPage: (afterId: string | null, limit: number) => readSnapshotPage(pool, afterId, limit),
    changesPage: (afterPosition: bigint, rowsMax: number) =>
      readChangesPage(database, afterPosition, rowsMax),
    positionBefore: (since: EpochMicroseconds) => readPositionBefore(database, since),
    setBuckets: () => readSetBuckets(database),
    logHead: () => readLogHead(database),
    logEpochs: () => readLogEpochs(database),
    /** Null if the log does not have that many hashes there. */
    logTile: (tile: Tile) => readTileHashes(database, tile),
    logLeaves: (bundle: Omit<Tile, 'level'>) => readLogLeaves(database, bundle),
    proof: (kind: LoggedKind, subject: string, wanted?: WantedProof) =>
      readProof(database, kind, subject, wanted),
    history: (kind: HistoryKind, subject: string) => readHistory(database, kind, subject),
    /** The same queries about the record as it was. Words that were withdrawn or corrected since stay erased. */
    at: (moment: EpochMicroseconds) => readerAt(database, moment),
  };
}

/** The queries that can be answered for an earlier moment. */
function readerAt(database: Database, moment: EpochMicroseconds) {
  const view = viewAt(moment);
  return {
    item: (id: string) => readItemAt(database, id, moment),
    itemContext: (id: Id<'item'>) => readItemContext(database, id, view),
    latestRanking: (language: ReaderLanguage) => readLatestRanking(database, language, view),
    story: (id: string) => readStory(database, id, view),
    storyCoverage: (id: Id<'story'>) => readStoryCoverage(database, id, view),
    edition: (kind: EditionKind, period: string) => readEdition(database, kind, period, view),
    removals: (subject: MomentSubject) => readRemovals(database, subject, moment),
  };
}

function inTime<T>(database: Database, search: (transaction: Database) => Promise<T>): Promise<T> {
  return database
    .transaction()
    .setAccessMode('read only')
    .execute(async (transaction) => {
      await limitStatements(transaction, searchTimeoutMs);
      return search(transaction);
    });
}
