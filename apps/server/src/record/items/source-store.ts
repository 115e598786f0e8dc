import type { Database } from '../../foundation/database/database.ts';
import type { Source, SourceProfile } from './item.ts';

/**
 * The name a source was first published under stays: it is part of every body and digest of its items. A source that
 * takes another name is another source of the same owner.
 */
export async function upsertSource(database: Database, source: Source): Promise<Source> {
  const stored = await readSource(database, source.id);
  if (stored === null) {
    await database
      .insertInto('record.source')
      .values({ id: source.id, name: source.name, owner: source.owner, first_party: source.firstParty })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await readSource(database, source.id)) ?? source;
  }
  if (stored.owner !== source.owner || stored.firstParty !== source.firstParty) {
    await database
      .updateTable('record.source')
      .set({ owner: source.owner, first_party: source.firstParty })
      .where('id', '=', source.id)
      .execute();
  }
  return { ...source, name: stored.name };
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

async function readSource(database: Database, id: Source['id']): Promise<Source | null> {
  const row = await database.selectFrom('record.source').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : { id, name: row.name, owner: row.owner, firstParty: row.first_party };
}
