import { sql } from 'kysely';

import type { CacheTagVersionRow } from '../foundation/cache/cache-tag-versions.ts';
import { versionChannel } from '../foundation/cache/cache-tag-versions.ts';
import type { Database } from '../foundation/database/database.ts';
import { preparedAs } from '../foundation/database/prepared-statement.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import type { CopyEffects } from './cache-tags.ts';
import { recordCacheTags } from './cache-tags.ts';
import type { LedgerChange } from './ledger/ledger-store.ts';
import { ledgerParts } from './ledger/ledger-store.ts';

export async function readCacheTagVersions(database: Database): Promise<readonly CacheTagVersionRow[]> {
  return database
    .selectFrom('record.representation_version')
    .select(['topic as tag', 'changed', 'purged'])
    .execute();
}

/**
 * Once the transaction commits, copies with a stale tag are rebuilt, copies with a purged tag are no longer served by this server nor, after a worker has purged them, by shared
 * caches, and mirrors see the changes of the ledger. One statement, the last before commit: from here on, every other decision waits for the rows of these tags, for the ledger's
 * head and, at commit, for the notification. Tags are locked in one order, so that two transactions that change several of them cannot deadlock.
 */
export async function writeVersionsAndLedger(
  database: Database,
  copies: CopyEffects,
  ledger: readonly LedgerChange[],
  now: EpochMicroseconds,
): Promise<void> {
  const purged: ReadonlySet<string> = new Set(copies.purge);
  const tags = listTags.filter((tag) => purged.has(tag) || copies.stale.includes(tag));
  if (tags.length === 0 && ledger.length === 0) return;
  const bumped = sql.ref('bumped');
  const positions = ledger.length === 0 ? sql`` : sql`, ${ledgerParts(ledger, now, bumped)}`;
  const dropped =
    purged.size === 0
      ? sql``
      : sql`, dropped AS (INSERT INTO record.edge_purge (tags) VALUES (${[...purged]}::text[]))`;
  const name = [
    'write-versions',
    ...(ledger.length === 0 ? [] : ['ledger']),
    ...(purged.size === 0 ? [] : ['purge']),
  ];
  await sql`${preparedAs(name.join('-'))}
    WITH bumped AS (
      INSERT INTO record.representation_version AS version (topic, changed, purged)
      SELECT tag, 1, purged
      FROM unnest(${tags}::text[], ${tags.map((tag) => (purged.has(tag) ? 1 : 0))}::integer[]) AS bump (tag, purged)
      ON CONFLICT (topic) DO UPDATE
        SET changed = version.changed + excluded.changed, purged = version.purged + excluded.purged
      RETURNING topic
    )${positions}${dropped}
    SELECT pg_notify(${versionChannel}, '')`.execute(database);
}

const listTags = Object.values(recordCacheTags).sort();
