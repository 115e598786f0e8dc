import type { Database } from '../../foundation/database/database.ts';
import { readEntryStates } from './entry-state-store.ts';
import { versionOf } from './journal.ts';

/** The queue as its pages read it. */
export { countQueue, listQueue, queueKinds } from './queue-store.ts';
export type { QueueEntry, QueueKind } from './queue-store.ts';

/** What a form about each of these entries is based on. */
export async function readEntryVersions(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const states = await readEntryStates(database, ids);
  return new Map([...states].map(([id, state]) => [id, versionOf(state)]));
}
