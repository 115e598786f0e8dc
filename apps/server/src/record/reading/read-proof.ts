import { TileTree } from '@daybook/client/log';

import type { Database } from '../../foundation/database/database.ts';
import type { LoggedKind } from '../log/log-entry.ts';
import { entryJson } from '../log/log-entry.ts';
import { tilesOf } from '../log/tile-store.ts';
import type { RecordedEntry, RecordedLogHead, WantedEntry } from './log-reading-store.ts';
import { readEntry, readLogHead } from './log-reading-store.ts';
import { readContent } from './read-content.ts';

export interface RecordedProof {
  readonly entry: ReturnType<typeof entryJson>;
  /** Null if it was withdrawn, or its words were erased since; as the salt. */
  readonly body: unknown;
  readonly salt: string | null;
  readonly leafIndex: number;
  /** Base64, from the leaf up. */
  readonly inclusion: readonly string[];
  readonly checkpoint: string;
  /** That the checkpoint continues the one of the reader; absent if the reader named none. */
  readonly consistency?: { readonly from: number; readonly hashes: readonly string[] };
}

export interface WantedProof extends WantedEntry {
  /** The size of a checkpoint that the reader saved. */
  readonly since?: number;
}

export type ProofOutcome =
  | { readonly state: 'proven'; readonly proof: RecordedProof }
  /** The log has no such entry. */
  | { readonly state: 'unlogged' }
  /** The entry is in no checkpoint yet. */
  | { readonly state: 'pending' }
  /** No key is configured. */
  | { readonly state: 'unsigned' }
  /** The log has fewer entries than the reader's checkpoint. */
  | { readonly state: 'shorter' };

/** An entry of something public with its proof in the newest checkpoint. */
export async function readProof(
  database: Database,
  kind: LoggedKind,
  subject: string,
  wanted: WantedProof = {},
): Promise<ProofOutcome> {
  // One snapshot: a salt and a body are of the same entry, and of one that is not withdrawn meanwhile.
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const found = await readEntry(snapshot, kind, subject, wanted);
      if (found === null) return { state: 'unlogged' };
      const head = await readLogHead(snapshot);
      if (head.checkpoint === null) return { state: 'unsigned' };
      if (found.leafIndex === null || found.leafIndex >= head.checkpointSize) return { state: 'pending' };
      if (wanted.since !== undefined && wanted.since > head.checkpointSize) return { state: 'shorter' };
      return { state: 'proven', proof: await proofOf(snapshot, head, found, wanted.since) };
    });
}

const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');

async function proofOf(
  snapshot: Database,
  { checkpoint, checkpointSize }: RecordedLogHead,
  { entry, leafIndex, salt }: RecordedEntry,
  since: number | undefined,
): Promise<RecordedProof> {
  const tree = new TileTree(checkpointSize, tilesOf(snapshot));
  const body = salt === null ? null : await readContent(snapshot, entry);
  const consistency = since === undefined ? undefined : await tree.consistencyProof(since);
  return {
    entry: entryJson(entry),
    body,
    salt: body === null ? null : (salt?.toString('hex') ?? null),
    leafIndex: leafIndex ?? 0,
    inclusion: (await tree.inclusionProof(leafIndex ?? 0)).map(base64),
    checkpoint: checkpoint ?? '',
    ...(since === undefined || consistency === undefined
      ? {}
      : { consistency: { from: since, hashes: consistency.map(base64) } }),
  };
}
