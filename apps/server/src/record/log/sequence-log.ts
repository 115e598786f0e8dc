import { leafHash, TileTree } from '@daybook/client/log';
import { growTiles } from '@daybook/client/log/append';

import type { Database } from '../../foundation/database/database.ts';
import type { Sweep } from '../../foundation/engine/engine-declarations.ts';
import { entryBytes } from './log-entry.ts';
import { nameLog, readEpochHead } from './log-epoch-store.ts';
import type { LogSigner } from './log-keys.ts';
import { lockLogHead, readUnsequenced, writeCheckpointNote, writeLeafIndices } from './log-store.ts';
import { tilesOf, writeTiles } from './tile-store.ts';

export interface SequenceLogDeps {
  /** Null: entries get their place in the log, but no checkpoint states it. */
  readonly signer: LogSigner | null;
  /** 60 by default. */
  readonly checkpointEverySeconds?: number;
}

const entriesAtOnce = 1_024;
const everySeconds = 60;

/**
 * Gives committed entries their place in the log and, at most once a minute, signs a checkpoint of it. Every worker tries;
 * one at a time does it. A worker that dies leaves no trace: tiles, places and size are of one transaction.
 */
export function createLogSequencing(deps: SequenceLogDeps): Sweep {
  return {
    name: 'sequence-log',
    everySeconds: 1,
    run: async ({ transaction, signal }) => {
      for (;;) {
        const sequenced = await transaction(sequenceEntries);
        await transaction((database) => signCheckpoint(database, deps));
        if (sequenced < entriesAtOnce || signal.aborted) return;
      }
    },
  };
}

/** Returns the number of entries that got a place. */
export async function sequenceEntries(database: Database): Promise<number> {
  const head = await lockLogHead(database);
  if (head === null) return 0;
  const entries = await readUnsequenced(database, entriesAtOnce);
  if (entries.length === 0) return 0;
  const hashes = await Promise.all(entries.map((entry) => leafHash(entryBytes(entry))));
  await writeTiles(database, await growTiles(head.size, hashes, tilesOf(database)));
  await writeLeafIndices(database, head.size, entries);
  return entries.length;
}

/**
 * Runs in a transaction after that of the places: a signature states what is committed. A checkpoint of places that were
 * rolled back would contradict the log for ever, since other entries can get these places.
 */
export async function signCheckpoint(
  database: Database,
  { signer, checkpointEverySeconds = everySeconds }: SequenceLogDeps,
): Promise<void> {
  if (signer === null) return;
  const head = await lockLogHead(database, checkpointEverySeconds);
  if (head === null || !head.mayCheckpoint || head.size === head.checkpointSize) return;
  await checkName(database, signer);
  const { size } = head;
  const tree = new TileTree(size, tilesOf(database));
  const note = await signer.sign({ size, root: await tree.root(), rootOf: (leaves) => tree.root(leaves) });
  await writeCheckpointNote(database, { note, size, verifierKeys: signer.verifierKeys.join('\n') });
}

/** The keys of another log would sign checkpoints that no reader of this one can verify. */
async function checkName(database: Database, { origin }: LogSigner): Promise<void> {
  const named = await readEpochHead(database);
  if (named.origin === null) await nameLog(database, named.epoch, origin);
  else if (named.origin !== origin)
    throw new Error(
      `the keys are of the log ${origin}, but the database has the log ${named.origin}: use its key file, or start an epoch with daybook log new-epoch`,
    );
}
