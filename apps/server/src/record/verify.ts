import { hourMs } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { limitStatements } from '../foundation/database/session-limits.ts';
import type { Id } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { gramsOfText, searchTextOf } from '../foundation/search-text.ts';
import { bodyVersion } from './items/item-body.ts';
import { readItemsAfter } from './items/item-store.ts';
import { composeItem } from './items/item.ts';
import type { LedgerChange } from './ledger/ledger-store.ts';
import { setDelta } from './ledger/ledger-store.ts';
import { rankAgain } from './rankings/replay-ranking.ts';
import { readNewestRankings } from './rankings/stored-ranking-store.ts';
import { verifyLogTree } from './verify-log-tree.ts';
import { invariantQueries, readOffenders, readSearchSample, readSet } from './verify-store.ts';

export interface Finding {
  readonly name: string;
  readonly promise: string;
  /** The first few violations; empty if the invariant is satisfied. */
  readonly offenders: readonly string[];
}

const offendersMax = 20;
const batchSize = 5_000;
const sampleSize = 2_000;
const rankingsChecked = 300;
/** Reading the whole archive may take long. */
const statementTimeoutMs = hourMs;

/** Checks every invariant of the record in one read-only snapshot. The news reader's login is sufficient. */
export async function verifyRecord(database: Database, now: EpochMicroseconds): Promise<readonly Finding[]> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await limitStatements(snapshot, statementTimeoutMs);
      return verifySnapshot(snapshot, now);
    });
}

/** For callers that already have a transaction. */
export async function verifySnapshot(
  snapshot: Database,
  now: EpochMicroseconds,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { name, promise, offenders } of invariantQueries) {
    findings.push({ name, promise, offenders: await readOffenders(snapshot, offenders(now), offendersMax) });
  }
  findings.push(...(await verifyItems(snapshot)));
  findings.push(await verifySearch(snapshot), await verifyRankings(snapshot), await verifyTree(snapshot));
  return findings;
}

/** Recomputes every body and digest, and from the digests the hash of the whole set. */
async function verifyItems(database: Database): Promise<readonly Finding[]> {
  const bodies: string[] = [];
  const digests: string[] = [];
  let size = 0;
  let hash = 0n;
  for (let after: Id<'item'> | null = null; ;) {
    const batch = await readItemsAfter(database, after, batchSize);
    const last = batch.at(-1);
    if (last === undefined) break;
    after = last.id;
    const members: LedgerChange[] = [];
    for (const item of batch) {
      if (item.withdrawnAt !== null) continue;
      const { body, digest } = composeItem(item);
      // An older version is valid until it is recomposed.
      if (item.bodyVersion === bodyVersion && body !== item.body) bodies.push(item.id);
      if (digest === null ? item.digest !== null : !item.digest?.equals(digest)) digests.push(item.id);
      if (digest !== null) members.push({ itemId: item.id, before: null, after: digest });
    }
    const delta = setDelta(members);
    size += delta.size;
    hash = BigInt.asUintN(256, hash + delta.hash);
  }
  const set = await readSet(database);
  const setAgrees = set.size === BigInt(size) && set.hash === hash;
  return [
    finding('item-body', 'every body is what its item’s facts compose to', bodies),
    finding('item-digest', 'every selected item’s digest is that of its facts', digests),
    finding(
      'set-hash',
      'size and hash of the selected set are those of its items',
      setAgrees ? [] : [`${set.size} items with hash ${set.hash}, of the items themselves: ${size}, ${hash}`],
    ),
  ];
}

async function verifySearch(database: Database): Promise<Finding> {
  const rows = await readSearchSample(database, sampleSize);
  const wrong = rows.filter((row) => {
    const text = searchTextOf([row.title, row.original_title, row.summary, row.source_name]);
    return row.search_text !== text || row.search_grams.join() !== gramsOfText(text).join();
  });
  return finding(
    'window-search',
    'the search text is computed from the item (a sample)',
    wrong.map(({ id }) => id),
  );
}

async function verifyRankings(database: Database): Promise<Finding> {
  const rankings = await readNewestRankings(database, rankingsChecked);
  const wrong = rankings.filter((ranking) => rankAgain(ranking).outcome === 'different');
  return finding(
    'ranking-evidence',
    'a ranking follows from its evidence, to the last bit (the newest ones)',
    wrong.map(({ id }) => id),
  );
}

async function verifyTree(database: Database): Promise<Finding> {
  const promise = 'tiles and checkpoint of the public log follow from its entries';
  return finding('log-tree', promise, await verifyLogTree(database));
}

function finding(name: string, promise: string, offenders: readonly string[]): Finding {
  return { name, promise, offenders: offenders.slice(0, offendersMax) };
}
