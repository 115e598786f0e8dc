import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { items } from '../../../apps/server/src/record/index.ts';
import type { SetCheck } from './mirror-source.ts';
import type { WriterDemand, WriterReport } from './writer-demand.ts';

const program = fileURLToPath(new URL('../processes/mirror-writer.ts', import.meta.url));

export const sourceIdsOfWriters: readonly string[] = Array.from(
  { length: 9 },
  (_, index) => `0199a0de-0000-7000-8000-00000000000${index}`,
);

/** A process of its own that decides at random until enough of its decisions were accepted. */
export async function startWriter(demand: WriterDemand): Promise<WriterReport> {
  const child = spawn(process.execPath, [program, JSON.stringify(demand)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [code, output] = await Promise.all([ended, text(child.stdout)]);
  if (code !== 0) throw new Error(`a writer ended with ${code}`);
  return JSON.parse(output) as WriterReport;
}

/** The selected items of the record, by id. */
export async function readSelectedItems(
  database: Database,
  baseUrl: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await database
    .selectFrom('record.item')
    .select(['id', 'body'])
    .where('selected', '=', true)
    .execute();
  return new Map(rows.map(({ id, body }) => [id, items.withBaseUrl(body ?? '', baseUrl)]));
}

/** The digest of the whole set, as in the ledger. */
export async function readSelectedSet(database: Database): Promise<Omit<SetCheck, 'version'>> {
  const head = await database
    .selectFrom('record.ledger_head')
    .select(['set_size', 'set_hash'])
    .executeTakeFirstOrThrow();
  return { size: Number(head.set_size), hash: BigInt(head.set_hash).toString(16).padStart(64, '0') };
}
