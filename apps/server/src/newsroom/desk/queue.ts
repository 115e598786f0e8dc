import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { readEntryStates } from './entry-state-store.ts';
import { versionOf } from './journal.ts';
import type { QueueEntry, QueueKind, QueueQuery } from './queue-entry.ts';
import { queueKinds } from './queue-entry.ts';
import { listFirstImports, listSourceAlerts } from './queue-source-store.ts';
import { listEntries } from './queue-store.ts';
import { listContradictions, listDoubtfulGroupings } from './queue-story-store.ts';
import { listReaderReports } from './reader-report-store.ts';

/** The queue as its pages read it. */
export { readDeskEntry } from './read-entry.ts';
export type { DeskEntry } from './read-entry.ts';
export { queueKinds } from './queue-entry.ts';
export type { QueueEntry, QueueKind } from './queue-entry.ts';
export type { Dismissable } from './decide-queue.ts';
export { insertReaderReport } from './reader-report-store.ts';

/** Newest first. */
export function listQueue(
  database: Database,
  kind: QueueKind,
  query: QueueQuery,
): Promise<readonly QueueEntry[]> {
  if (kind === 'grouping') return listDoubtfulGroupings(database, query);
  if (kind === 'contradiction') return listContradictions(database, query);
  if (kind === 'first-import') return listFirstImports(database, query);
  if (kind === 'source') return listSourceAlerts(database, query);
  return kind === 'report' ? listReaderReports(database, query) : listEntries(database, kind, query);
}

/** How many entries of each kind wait, up to a limit. */
export async function countQueue(
  database: Database,
  query: { readonly now: EpochMicroseconds; readonly countMax: number },
): Promise<Readonly<Record<QueueKind, number>>> {
  const counts = await Promise.all(
    queueKinds.map(async (kind) => [kind, (await listQueue(database, kind, query)).length] as const),
  );
  return Object.fromEntries(counts) as Record<QueueKind, number>;
}

/** What a form about each of these entries is based on. */
export async function readEntryVersions(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const states = await readEntryStates(database, ids);
  return new Map([...states].map(([id, state]) => [id, versionOf(state)]));
}
