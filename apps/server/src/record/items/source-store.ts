import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Source, SourceProfile } from './item.ts';

/**
 * The first published name of a source never changes: it is part of every body and digest of its items. A source
 * with a new name is another source of the same owner. Returns the sources with their stored names.
 */
export async function upsertSources(
  database: Database,
  sources: readonly Source[],
  now: EpochMicroseconds,
): Promise<ReadonlyMap<Source['id'], Source>> {
  const wanted = new Map(sources.map((source) => [source.id, source]));
  let stored = await readSources(database, [...wanted.keys()]);
  const missing = [...wanted.values()].filter(({ id }) => !stored.has(id));
  if (missing.length > 0) {
    await insertSources(database, missing);
    stored = await readSources(database, [...wanted.keys()]);
  }
  for (const source of wanted.values()) {
    const { owner, firstParty } = stored.get(source.id) ?? source;
    if (owner !== source.owner || firstParty !== source.firstParty) await updateOwner(database, source, now);
  }
  return new Map(
    Array.from(wanted, ([id, source]) => [id, { ...source, name: stored.get(id)?.name ?? source.name }]),
  );
}

async function readSources(
  database: Database,
  ids: readonly Source['id'][],
): Promise<ReadonlyMap<Source['id'], Source>> {
  const { rows } = await sql<Source>`${preparedAs('read-sources')}
    SELECT id, name, owner, first_party AS "firstParty" FROM record.source
    WHERE id = ANY(${[...ids]}::uuid[])`.execute(database);
  return new Map(rows.map((source) => [source.id, source]));
}

async function insertSources(database: Database, sources: readonly Source[]): Promise<void> {
  await database
    .insertInto('record.source')
    .values(sources.map(({ id, name, owner, firstParty }) => ({ id, name, owner, first_party: firstParty })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The former owner is stored: at earlier times, independent sources are counted by it. */
async function updateOwner(
  database: Database,
  { id, owner, firstParty }: Source,
  now: EpochMicroseconds,
): Promise<void> {
  await sql`
    INSERT INTO record.source_past (source_id, owner, first_party, until)
    SELECT id, owner, first_party, ${toTimestamptz(now)}::timestamptz FROM record.source WHERE id = ${id}
    ON CONFLICT DO NOTHING`.execute(database);
  await database
    .updateTable('record.source')
    .set({ owner, first_party: firstParty })
    .where('id', '=', id)
    .execute();
}

export async function updateSourceProfile(
  database: Database,
  id: Source['id'],
  { homepageUrl, language, state }: SourceProfile,
): Promise<void> {
  await database
    .updateTable('record.source')
    .set({ homepage_url: homepageUrl, language, state })
    .where('id', '=', id)
    .execute();
}
