import type { RecordReader } from '../reader.ts';
import type { NewsReplica } from './news-replica.ts';

/**
 * Reads that a replica may serve. Mirrors, proofs and earlier moments stay on the primary: their positions continue from
 * one response to the next, and a replica that another process uses may be older than the one before.
 */
const replicaReads = [
  'items',
  'searchItems',
  'searchItemsForEach',
  'archive',
  'archiveFiles',
  'archiveFile',
  'searchArchive',
  'item',
  'itemContext',
  'newestItemAt',
  'latestRanking',
  'rankPositions',
  'story',
  'storyCoverage',
  'reportCounts',
  'recentStoryIds',
  'edition',
  'editionEntries',
  'editionCalendar',
  'corrections',
  'sources',
] as const satisfies readonly (keyof RecordReader)[];

type AnyRead = (...words: readonly unknown[]) => Promise<unknown>;

export function createReplicatedReader(
  primary: RecordReader,
  replica: RecordReader,
  chooser: Pick<NewsReplica, 'read'>,
): RecordReader {
  const chosen = replicaReads.map((name): [string, AnyRead] => {
    const [ofReplica, ofPrimary] = [replica[name] as AnyRead, primary[name] as AnyRead];
    return [
      name,
      (...words) =>
        chooser.read(
          () => ofReplica(...words),
          () => ofPrimary(...words),
        ),
    ];
  });
  return { ...primary, ...Object.fromEntries(chosen) };
}
