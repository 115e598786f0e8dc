import { leafHash, TileTree } from '@daybook/client/log';
import { growTiles } from '@daybook/client/log/append';
import { sql } from 'kysely';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { writeCheckpointNote } from '../../../apps/server/src/record/log/log-store.ts';
import { tilesOf, writeTiles } from '../../../apps/server/src/record/log/tile-store.ts';
import { readLogLeaves } from '../../../apps/server/src/record/reading/log-reading-store.ts';
import type { logKeyFile } from '../../../apps/server/src/record/wiring.ts';
import type { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { sequenceLog } from '../../../apps/server/test/sequence-log.ts';

export type Signer = Awaited<ReturnType<typeof logKeyFile.parseLogKeys>>;

/** What every attack has: all rights on a database, and the key of its log. */
export interface Operator {
  readonly database: Database;
  readonly signer: Signer;
  readonly factory: ReturnType<typeof createRecordFactory>;
}

/** Statements as the superuser, with all triggers and constraints of foreign keys off. */
export async function change(
  { database }: Pick<Operator, 'database'>,
  ...statements: string[]
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
    for (const statement of statements) await sql.raw(statement).execute(transaction);
  });
}

const bundleWidth = 256;

/** Computes the tree of the entries as they are now, and signs it: a consistent log of its own. */
export async function signRewritten({ database, signer }: Operator): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(leaf_index)::integer AS count FROM record.log_entry`.execute(database);
  const size = rows[0]?.count ?? 0;
  const hashes = [];
  for (let index = 0; index * bundleWidth < size; index += 1) {
    const width = Math.min(bundleWidth, size - index * bundleWidth);
    for (const leaf of await readLogLeaves(database, { index, width })) hashes.push(await leafHash(leaf));
  }
  await sql`TRUNCATE record.log_tile`.execute(database);
  await writeTiles(database, await growTiles(0, hashes, () => Promise.resolve(new Uint8Array())));
  await sql`UPDATE record.log_head SET size = ${size}`.execute(database);
  await signSize({ database, signer }, size);
}

export async function signSize(
  { database, signer }: Pick<Operator, 'database' | 'signer'>,
  size: number,
): Promise<void> {
  const tree = new TileTree(size, tilesOf(database));
  const note = await signer.sign({ size, root: await tree.root(), rootOf: (leaves) => tree.root(leaves) });
  await writeCheckpointNote(database, { note, size, verifierKeys: signer.verifierKeys.join('\n') });
}

/** The log goes on as if nothing had happened. */
export async function goOn({ database, signer, factory }: Operator, items: number): Promise<void> {
  for (let count = 0; count < items; count += 1) await factory.publish({ title: `Later item ${count}` });
  for (let sequenced = 1; sequenced > 0;) sequenced = await sequenceLog(database, signer);
}
