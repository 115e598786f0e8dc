import { TileTree } from '@daybook/client/log';

import type { Database } from '../../foundation/database/database.ts';
import { readStoredItem } from '../items/item-store.ts';
import { loggedItem } from '../items/logged-item.ts';
import type { LoggedKind } from '../log/log-entry.ts';
import { entryJson } from '../log/log-entry.ts';
import { tilesOf } from '../log/tile-store.ts';
import type { NewestEntry } from './log-reading-store.ts';
import { readLogHead, readNewestEntry } from './log-reading-store.ts';

export interface RecordedProof {
  readonly entry: ReturnType<typeof entryJson>;
  /** Null if it was withdrawn, as the salt. */
  readonly body: unknown;
  readonly salt: string | null;
  readonly leafIndex: number;
  /** Base64, from the leaf up. */
  readonly inclusion: readonly string[];
  readonly checkpoint: string;
}

export type ProofOutcome =
  | { readonly state: 'proven'; readonly proof: RecordedProof }
  /** The log has no entry of it. */
  | { readonly state: 'unlogged' }
  /** Its newest entry is in no checkpoint yet. */
  | { readonly state: 'pending' }
  /** No key is configured. */
  | { readonly state: 'unsigned' };

/** The newest entry of something public with its proof in the newest checkpoint. */
export async function readProof(
  database: Database,
  kind: LoggedKind,
  subject: string,
): Promise<ProofOutcome> {
  // One snapshot: a salt and a body are of the same entry, and of one that is not withdrawn meanwhile.
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((snapshot) => readProofIn(snapshot, kind, subject));
}

async function readProofIn(database: Database, kind: LoggedKind, subject: string): Promise<ProofOutcome> {
  const newest = await readNewestEntry(database, kind, subject);
  if (newest === null) return { state: 'unlogged' };
  const { checkpoint, checkpointSize } = await readLogHead(database);
  if (checkpoint === null) return { state: 'unsigned' };
  const { entry, leafIndex, salt } = newest;
  if (leafIndex === null || leafIndex >= checkpointSize) return { state: 'pending' };
  const inclusion = await new TileTree(checkpointSize, tilesOf(database)).inclusionProof(leafIndex);
  const proof: RecordedProof = {
    entry: entryJson(entry),
    body: salt === null ? null : await bodyOf(database, newest),
    salt: salt?.toString('hex') ?? null,
    leafIndex,
    inclusion: inclusion.map((hash) => Buffer.from(hash).toString('base64')),
    checkpoint,
  };
  return { state: 'proven', proof };
}

async function bodyOf(database: Database, { entry, body }: NewestEntry): Promise<unknown> {
  if (body !== null) return JSON.parse(body);
  const item = await readStoredItem(database, entry.subject);
  if (item === null) throw new Error(`${entry.kind} ${entry.subject} has no body`);
  return loggedItem(item);
}
