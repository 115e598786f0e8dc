import { randomBytes } from 'node:crypto';

import type { Suite, SuiteContext } from '@daybook/evidence';

import type { Clock } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { toTimestamptz } from '../../../apps/server/src/foundation/database/timestamptz.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { instantFromMs } from '../../../apps/server/src/foundation/instant.ts';
import type { RankingDeps } from '../../../apps/server/src/newsroom/rankings/rank-stories.ts';
import { rankStories } from '../../../apps/server/src/newsroom/rankings/rank-stories.ts';
import { createPublisher, rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { withMeasuredDatabase } from '../measured-database.ts';
import { fillReportedStories } from '../ranking/reported-stories.ts';

const stories = { quick: 20_000, full: 200_000 } as const;
/** The bare query and the run alternate, so that both have the same load on the machine. */
const rounds = 9;
const withinMs = 2_000;
const nowMs = Date.UTC(2026, 10, 15, 8);
const now = instantFromMs(nowMs);

export const suite: Suite = {
  name: 'ranking',
  nightly: true,
  summary: 'a ranking of many open stories, beside the bare SQL of its ten',
  promise:
    'A ranking of 200 k open stories (20 k with `--quick`), each with reports of the last two days, takes at most 1.5 times as long as the bare SQL that finds the ten hottest in the same run, and at most two seconds: it is read, computed exactly and published with its evidence in one transaction. Both find the same ten.',
  run: (context) =>
    withMeasuredDatabase({ shared_buffers: '512MB' }, (owner, application) =>
      measureRanking(context, owner, application),
    ),
};

async function measureRanking(
  context: SuiteContext,
  owner: DatabaseConnection,
  application: DatabaseConnection,
): Promise<void> {
  const count = stories[context.quick ? 'quick' : 'full'];
  await rollWindow(application.database, now);
  const client = await owner.pool.connect();
  const items = await fillReportedStories(client, now, count).finally(() => client.release());
  await owner.pool.query('VACUUM (ANALYZE)');
  const clock: Clock = { now: () => now, nowMs: () => nowMs };
  const { database } = application;
  const deps = {
    clock,
    publisher: createPublisher({ database, clock, ids: createIdSource({ clock, randomBytes }) }),
  };
  const [ours, bare]: [number[], number[]] = [[], []];
  let different = 0;
  for (let round = 0; round < rounds; round += 1) {
    const hottest = await queryHottest(application);
    const ranked = await rankOnce(application, deps);
    different += hottest.storyIds.filter((id, place) => ranked.storyIds[place] !== id).length;
    bare.push(hottest.ms);
    ours.push(ranked.ms);
    if (ranked.storyIds.length !== 10)
      throw new Error(`the ranking has ${ranked.storyIds.length} topics instead of ten`);
  }
  const label = count.toLocaleString('en-US');
  context.figure({ name: 'open stories', value: count, unit: 'stories' });
  context.figure({ name: 'their reports within two days', value: items, unit: 'reports' });
  context.ratio({
    name: `a ranking of ${label} stories, published, beside the bare SQL of its ten`,
    unit: 'ms',
    ours,
    bare,
    goal: { atMost: 1.5 },
  });
  context.figure({
    name: `a ranking of ${label} stories, the slowest of ${rounds}`,
    value: Math.max(...ours),
    unit: 'ms',
    goal: { atMost: withinMs },
  });
  context.figure({
    name: 'ranks in which the two differ',
    value: different,
    unit: 'places',
    goal: { exactly: 0 },
  });
}

interface Measured {
  readonly ms: number;
  readonly storyIds: readonly string[];
}

/** The whole run, rolled back so that the next one reads the same record. */
async function rankOnce({ database }: DatabaseConnection, deps: RankingDeps): Promise<Measured> {
  const transaction = await database.startTransaction().execute();
  const startedAt = performance.now();
  await rankStories(deps, transaction);
  const ms = performance.now() - startedAt;
  const rows = await transaction
    .selectFrom('record.ranking_entry')
    .innerJoin('record.item', 'record.item.id', 'item_id')
    .select('story_id')
    .orderBy('rank')
    .execute();
  await transaction.rollback().execute();
  return { ms, storyIds: rows.map(({ story_id }) => story_id ?? '') };
}

async function queryHottest({ pool }: DatabaseConnection): Promise<Measured> {
  const startedAt = performance.now();
  const { rows } = await pool.query<{ story_id: string }>(hottest, [toTimestamptz(now)]);
  return { ms: performance.now() - startedAt, storyIds: rows.map(({ story_id }) => story_id) };
}

/** What a person would write to see the ten, with the weights of `newsroom/rankings`. */
const hottest = `
  WITH owner_heat AS (
    SELECT item.story_id, source.owner,
      bool_or(coalesce(known.participation, 'editorial') = 'editorial') AS editorial,
      max((ARRAY[1, 1, 0.7, 0.4]::double precision[])[coalesce(known.tier, 3)]
        * power(2, -extract(epoch FROM $1::timestamptz - item.timeline_at)::double precision / 86400)) AS heat
    FROM record.window_item AS shown
    JOIN record.item ON item.id = shown.id
    JOIN record.source ON source.id = item.source_id
    LEFT JOIN newsroom.source AS known ON known.id = item.source_id
    WHERE shown.discovered_at BETWEEN $1::timestamptz - interval '48 hours' AND $1
      AND item.timeline_at >= $1::timestamptz - interval '48 hours' AND item.story_id IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM record.item AS earlier
        WHERE earlier.group_id = item.group_id AND earlier.withdrawn_at IS NULL
          AND (earlier.discovered_at, earlier.id) < (item.discovered_at, item.id))
    GROUP BY item.story_id, source.owner
  )
  SELECT story_id FROM owner_heat GROUP BY story_id
  HAVING count(*) >= 2 AND bool_or(editorial) ORDER BY sum(heat) DESC LIMIT 10`;
