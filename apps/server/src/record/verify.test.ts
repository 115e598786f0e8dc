import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../test/factories/record-factory.ts';
import { sequenceLog } from '../../test/sequence-log.ts';
import type { DatabaseConnection } from '../foundation/database/database.ts';
import { connectDatabase } from '../foundation/database/database.ts';
import type { Id } from '../foundation/ids.ts';
import { verifyRecord, verifySnapshot } from './verify.ts';
import { logKeyFile } from './wiring.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let reader: DatabaseConnection;
let superuser: DatabaseConnection;

beforeAll(async () => {
  store = await createTestDatabase();
  reader = connect(store.urls.newsReader);
  const url = new URL(inject('superuserUrl'));
  url.pathname = `/${store.name}`;
  superuser = connect(url.href);
  await fill();
});
afterAll(async () => {
  await reader.close();
  await superuser.close();
  await store.drop();
});

function connect(url: string): DatabaseConnection {
  return connectDatabase({
    url,
    name: 'verify',
    connectionsMax: 2,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5_000,
  });
}

/** Inserts rows into every part of the record. */
async function fill(): Promise<void> {
  const { publisher, publish, publishSelected, ids, source } = createRecordFactory({
    database: store.database,
    clock,
  });
  const groupId = ids.next<'reading-group'>();
  await publish({ hoursAgo: 1 });
  const first = await publish({ groupId, hoursAgo: 30, title: '开源模型发布' });
  const chosen = await publishSelected({ groupId, hoursAgo: 5, sourceName: 'The Post' });
  const other = await publishSelected({ hoursAgo: 3, sourceName: 'The Post' });
  const gone = await publishSelected({ hoursAgo: 2 });
  const old = await publishSelected({ hoursAgo: 24 * 40 });
  const open = async (title: string, itemIds: Id<'item'>[]): Promise<Id<'story'>> =>
    valueOf(await publisher.openStory({ title, itemIds })).storyId;
  const survivor = await open('Release', [first, chosen]);
  const absorbed = await open('The release', [gone]);
  const earlier = await open('Announcement', [old]);
  const twice = await open('Announced', [other]);
  valueOf(await publisher.mergeStories({ absorbedId: twice, survivorId: absorbed }));
  valueOf(await publisher.mergeStories({ absorbedId: absorbed, survivorId: survivor }));
  const digest = {
    text: 'It was released.',
    sentences: [{ text: 'It was released.', cites: [first] }],
    contradictions: [{ statement: 'The size differs.', earlier: [first], later: [chosen] }],
  };
  valueOf(await publisher.reviseStory({ storyId: survivor, changes: { digest } }));
  const links = [{ storyId: earlier, kind: 'storyline', strength: 0.5 } as const];
  valueOf(await publisher.linkStories([{ storyId: survivor, links }]));
  const ranked = (itemId: Id<'item'>, name: string) => ({
    itemId,
    owner: source(name).owner,
    sourceName: name,
    firstParty: false,
    weight: 1,
    reportedAt: hoursBefore(clock.now(), 4),
  });
  const items = [ranked(first, 'The Wire'), ranked(chosen, 'The Post')];
  valueOf(await publisher.publishRanking({ candidates: [{ itemId: chosen, items }] }));
  const contents = {
    headline: 'A release',
    overview: 'One release.',
    headlineCites: [chosen],
    overviewCites: [gone],
    sections: [{ key: 'models', label: 'Models', itemIds: [chosen, gone] }],
    flashes: [other],
  };
  valueOf(await publisher.issueEdition({ kind: 'daily', period: '2026-11-15', contents }));
  valueOf(await publisher.withdrawItem({ itemId: gone }));
  const keys = await logKeyFile.generateLogKey('daybook.example/log');
  await sequenceLog(store.database, await logKeyFile.parseLogKeys(keys));
}

function namesOf(findings: Awaited<ReturnType<typeof verifyRecord>>): readonly string[] {
  return findings.filter(({ offenders }) => offenders.length > 0).map(({ name }) => name);
}

test('a record changed only by decisions satisfies every invariant', async () => {
  expect(namesOf(await verifyRecord(reader.database, clock.now()))).toEqual([]);
});

/** Simulates a software or disk fault: bypasses the constraints that would repair or refuse it. */
const faults: readonly (readonly [name: string, fault: string, also?: readonly string[]])[] = [
  [
    'edition-citation',
    `UPDATE record.edition_citation SET item_id = (SELECT id FROM record.item WHERE withdrawn_at IS NOT NULL) WHERE revision = 2 AND section IS NULL`,
  ],
  [
    'edition-citation',
    `UPDATE record.edition_revision SET headline_cites = headline_cites || (SELECT id FROM record.item WHERE withdrawn_at IS NOT NULL)`,
  ],
  [
    'edition-citation',
    `INSERT INTO record.edition_report SELECT kind, period, revision, 'zh', item_id, (SELECT id FROM record.item WHERE withdrawn_at IS NOT NULL) FROM record.edition_citation WHERE revision = 2 AND section IS NULL`,
  ],
  [
    'edition-citation',
    `INSERT INTO record.edition_version SELECT kind, period, revision, 'zh', '', '', '{}', ARRAY(SELECT id FROM record.item WHERE withdrawn_at IS NOT NULL), '{}' FROM record.edition WHERE revision = 2`,
  ],
  ['edition-revision', `UPDATE record.edition SET revision = 1`, ['edition-citation']],
  ['edition-section', `UPDATE record.edition_citation SET section = 'elsewhere' WHERE section IS NULL`],
  [
    'story-merge',
    `UPDATE record.story SET merged_into = (SELECT id FROM record.story WHERE merged_into IS NOT NULL ORDER BY id LIMIT 1) WHERE id = (SELECT id FROM record.story WHERE merged_into IS NOT NULL ORDER BY id DESC LIMIT 1)`,
  ],
  [
    'story-absorbed',
    `UPDATE record.story SET digest = '{"sentences":[],"contradictions":[]}' WHERE merged_into IS NOT NULL`,
  ],
  ['story-absorbed', `UPDATE record.story SET title = 'Announced' WHERE merged_into IS NOT NULL`],
  [
    'story-links',
    `INSERT INTO record.story_link SELECT md5(n::text)::uuid, 'ffffffff-ffff-7fff-bfff-ffffffffffff', 'related', 0.1 FROM generate_series(1, 9) AS n`,
  ],
  ['story-count', `UPDATE record.story SET report_count = report_count + 1 WHERE title = 'Release'`],
  [
    'story-count',
    `UPDATE record.story SET latest_at = latest_at + interval '1 microsecond' WHERE title = 'Release'`,
  ],
  [
    'story-digest',
    `UPDATE record.story SET digest = (SELECT digest FROM record.story WHERE title = 'Release') WHERE title = 'Announcement'`,
  ],
  [
    'group-appearance',
    `UPDATE record.reading_group SET first_appeared_at = first_appeared_at - interval '1 microsecond' WHERE representative_id IS NULL`,
  ],
  ['group-representative', `UPDATE record.reading_group SET representative_id = NULL`],
  ['withdrawn-text', `UPDATE record.item SET summary = 'left' WHERE withdrawn_at IS NOT NULL`],
  ['window-archive', `UPDATE record.window_item SET body = body || ' '`],
  ['window-archive', `UPDATE record.window_item SET language = 'xx'`],
  ['window-archive', `UPDATE record.window_item SET story_id = NULL`],
  [
    'window-archive',
    `UPDATE record.item SET discovered_at = discovered_at + interval '1 microsecond'`,
    ['window-complete', 'window-key'],
  ],
  ['window-key', `UPDATE record.window_item SET timeline_key = timeline_key - interval '1 microsecond'`],
  ['window-key', `UPDATE record.window_item SET published_key = published_key - interval '1 microsecond'`],
  ['window-complete', `DELETE FROM record.window_item WHERE selected`],
  ['window-partition', `DROP TABLE record.window_item_20261107`],
  ['window-partition', `DROP TABLE record.window_item_20261116`],
  ['ledger-position', `UPDATE record.ledger_head SET position = position - 1`],
  ['ledger-position', `UPDATE record.ledger_head SET changed_at = changed_at - interval '1 hour'`],
  ['ledger-entry', `UPDATE record.ledger_entry SET removed = NOT removed`],
  ['ledger-entry', `DELETE FROM record.ledger_entry WHERE NOT removed`],
  ['log-place', `UPDATE record.log_head SET size = size + 1`],
  ['log-tree', `UPDATE record.log_entry SET at = at - interval '1 day' WHERE leaf_index = 3`],
  ['log-tree', `UPDATE record.log_tile SET hashes = set_byte(hashes, 40, (get_byte(hashes, 40) + 1) % 256)`],
  [
    'log-tree',
    `UPDATE record.log_head SET checkpoint_size = 2, checkpoint = replace(checkpoint, E'\\n' || checkpoint_size || E'\\n', E'\\n2\\n')`,
  ],
  [
    'log-salt',
    `INSERT INTO record.log_content SELECT 'item', id::text, 1, sha256('') FROM record.item WHERE withdrawn_at IS NOT NULL`,
  ],
  [
    'history-words',
    `UPDATE record.log_content SET was = jsonb_build_object('digest', jsonb_build_array((SELECT id FROM record.item WHERE withdrawn_at IS NOT NULL))) WHERE kind = 'story'`,
  ],
  ['item-body', `UPDATE record.item SET body = body || ' ' WHERE discovered_at < '2026-11-01'`],
  [
    'item-digest',
    `UPDATE record.item SET digest = set_byte(digest, 31, (get_byte(digest, 31) + 1) % 256) WHERE selected`,
  ],
  ['set-hash', `UPDATE record.ledger_head SET set_hash = set_hash + 1`],
  ['set-hash', `UPDATE record.ledger_head SET set_size = set_size + 1`],
  ['window-search', `UPDATE record.window_item SET search_text = search_text || 'x'`],
  ['window-search', `UPDATE record.window_item SET search_grams = search_grams || 7`],
  ['ranking-evidence', `UPDATE record.ranking_entry SET heat = heat * (1 + 2.3e-16::double precision)`],
  ['ranking-evidence', `UPDATE record.ranking_evidence SET owner = 'one'`],
  ['ranking-evidence', `UPDATE record.ranking_evidence SET source_name = 'Another'`],
];

describe('verify detects a violation of each invariant', () => {
  test.each(faults.map(([name, fault, also = []]) => ({ name, fault, also })))(
    '$name: $fault',
    async ({ name, fault, also }) => {
      const found = await brokenBy(fault);
      expect(found).toContain(name);
      expect(found.filter((one) => one !== name && !also.includes(one))).toEqual([]);
    },
  );
});

/** Returns the findings during the fault; the fault is undone afterwards. */
async function brokenBy(fault: string): Promise<readonly string[]> {
  const transaction = await superuser.database.startTransaction().execute();
  try {
    await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
    await sql.raw(fault).execute(transaction);
    return namesOf(await verifySnapshot(transaction, clock.now()));
  } finally {
    await transaction.rollback().execute();
  }
}

test('every invariant has a fault that violates it', async () => {
  const findings = await verifyRecord(reader.database, clock.now());
  expect(new Set(faults.map(([name]) => name))).toEqual(new Set(findings.map(({ name }) => name)));
});
