import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { createWorld } from '@daybook/newswire';
import { sql } from 'kysely';

import type { Clock } from '../../../apps/server/src/foundation/clock.ts';
import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import type { IdSource } from '../../../apps/server/src/foundation/ids.ts';
import { instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import { issueEdition } from '../../../apps/server/src/newsroom/editions/compile-edition.ts';
import type { Publisher } from '../../../apps/server/src/record/index.ts';
import { createPublisher, rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { itemOf, dispatchedItem } from '../../../apps/simulation/src/dispatched-item.ts';
import type { DueEdition } from '../editions/due-editions.ts';
import { dueEditions } from '../editions/due-editions.ts';
import { replayOutcomes } from '../editions/edition-evidence.ts';
import { RankedTime, replayRankings } from '../editions/ranked-time.ts';
import type { YearStage } from '../editions/year-stage.ts';
import { setYearStage, shanghai } from '../editions/year-stage.ts';
import { countBrokenPromises } from '../news/record-promises.ts';

const settings = { language: 'en', aliases: [] } as const;
const from = shanghai('2026-12-20T09:00');

export const suite: Suite = {
  name: 'replays',
  summary:
    'Reports and rankings are reproduced byte for byte from their recorded inputs, and without withdrawn text.',
  promise:
    'Reports of three months (with `--quick` of 20 December to 5 January, with week 53) are compiled from a simulated world, and its stories are ranked every hour, in one week (three hours with `--quick`) every five minutes. Then the record changes: titles, summaries and scores are revised, items unselected, stories merged. Each report and ranking, compiled again from its stored inputs, is the same byte for byte, and one changed input is noticed, also of an item that only readers of one language get. After a withdrawal no text of the item is stored; reports that used it replay with the same choice and order, and rankings, which store no text, replay as before.',
  measuresNoTime: true,
  run: async (context) => {
    const to = shanghai(context.quick ? '2027-01-05T12:00' : '2027-03-20T12:00');
    const folder = await mkdtemp(join(tmpdir(), 'daybook-replays-'));
    const days = Math.ceil((instantToMs(to) - instantToMs(from)) / dayMs);
    const itemsPerDay = context.quick ? 25 : 50;
    const world = createWorld({ seed: 23, startsAt: instantToMs(from), days, itemsPerDay });
    const stage = await setYearStage(world, folder);
    let now = from;
    const clock: Clock = { now: () => now, nowMs: () => instantToMs(now) };
    const ids = createIdSource({ clock, randomBytes });
    const publisher = createPublisher({ database: stage.database, clock, ids });
    try {
      const due = dueEditions({ from, to });
      const rankedTime = new RankedTime(stage, from, {
        from: shanghai('2026-12-28T00:00'),
        to: shanghai(context.quick ? '2026-12-28T03:00' : '2027-01-04T00:00'),
      });
      for (const edition of due) {
        await rankedTime.passUntil(edition.dueAt);
        now = edition.dueAt;
        await tellInOtherLanguage(stage, publisher, ids);
        await issue(stage, { clock, publisher }, edition);
      }
      await proveReplays(context, { stage, publisher, due });
      await rollWindow(stage.database, now);
      await countBrokenPromises(context, stage.database, now);
    } finally {
      await stage.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Each new story gets a report in the other language, so that each edition has reports that only one language shows. */
async function tellInOtherLanguage(
  { dispatches, engine: { query } }: YearStage,
  publisher: Publisher,
  ids: IdSource,
): Promise<void> {
  const stories = await query<{ story: Id<'story'>; item: string }>(`
    SELECT story_id AS story, min(id::text) AS item FROM record.item
    WHERE story_id IS NOT NULL GROUP BY story_id HAVING count(*) = 1`);
  for (const { story, item } of stories) {
    const dispatch = dispatches.get(item);
    if (dispatch === undefined) continue;
    const dispatched = dispatchedItem(dispatch);
    const number = item.slice(-4);
    const words =
      dispatched.language === 'en'
        ? {
            language: 'zh',
            title: `第 ${number} 号事件的中文报道`,
            summary: `第 ${number} 号事件有 3 个结果。`,
          }
        : {
            language: 'en',
            title: `An English report of event ${number}`,
            summary: `Event ${number} had 3 results.`,
          };
    valueOf(
      await publisher.publishItem({
        ...itemOf(dispatched),
        ...words,
        id: ids.next(),
        groupId: ids.next(),
        originalTitle: null,
        storyId: story,
      }),
    );
  }
}

async function issue(
  { database }: YearStage,
  deps: { readonly clock: Clock; readonly publisher: Publisher },
  edition: DueEdition,
): Promise<void> {
  await database
    .transaction()
    .execute((transaction) => issueEdition({ ...deps, ...settings }, transaction, edition));
}

interface Proof {
  readonly stage: YearStage;
  readonly publisher: Publisher;
  readonly due: readonly DueEdition[];
}

async function proveReplays(context: SuiteContext, proof: Proof): Promise<void> {
  const { stage, publisher, due } = proof;
  const random = seededRandom(23);
  const itemIds = [...stage.dispatches.keys()] as Id<'item'>[];
  const changes = await moveOn(publisher, itemIds, random);
  context.figure({ name: 'reports compiled', value: due.length, unit: 'reports' });
  context.figure({ name: 'items changed afterwards', value: changes, unit: 'items' });
  const merged = await mergeSome(stage.engine, publisher);
  context.figure({ name: 'stories merged afterwards', value: merged, unit: 'stories' });
  const before = await outcomes(proof);
  const not = (name: string, value: number, unit = 'reports'): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  not('that do not replay byte for byte', before.filter((one) => one !== 'same').length);
  not('with a changed input that was not noticed', await tamper(proof));
  await proveLanguages(context, proof);
  await proveRankings(context, proof);
  const withdrawn = itemIds.filter(() => random() < 0.05);
  for (const itemId of withdrawn) await publisher.withdrawItem({ itemId, reason: 'For the proof.' });
  context.figure({ name: 'items withdrawn', value: withdrawn.length, unit: 'items' });
  const after = await outcomes(proof);
  const redacted = after.filter((one) => one === 'redacted').length;
  context.figure({
    name: 'replayed without withdrawn text',
    value: redacted,
    unit: 'reports',
    goal: { atLeast: 1 },
  });
  not(
    'neither the same nor redacted after the withdrawals',
    after.filter((one) => one !== 'same').length - redacted,
  );
  const [remaining] = await stage.engine.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM record.item_words WHERE words IS NOT NULL AND item_id = ANY($1)`,
    [withdrawn],
  );
  not('stored texts of withdrawn items', remaining?.count ?? -1, 'items');
  const [worded] = await stage.engine.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM record.edition_version WHERE (headline_cites || overview_cites) && $1::uuid[]`,
    [withdrawn],
  );
  not('texts in a second language that rest on withdrawn items', worded?.count ?? -1, 'texts');
  const { notSame } = await replayRankings(stage.database);
  not('rankings that do not replay after the withdrawals', notSame, 'rankings');
}

/** Reports in a second language are compared too: one changed word of an item that only it shows is noticed. */
async function proveLanguages({ figure }: SuiteContext, proof: Proof): Promise<void> {
  const { query } = proof.stage.engine;
  const bilingual = await query<{ key: string }>(`
    SELECT DISTINCT report.kind || ' ' || report.period AS key
    FROM record.edition_report AS report
    JOIN (
      SELECT kind, period, revision, language, headline_cites FROM record.edition_revision
      UNION ALL SELECT kind, period, revision, language, headline_cites FROM record.edition_version
    ) AS words USING (kind, period, revision, language)
    WHERE report.item_id = words.headline_cites[1]`);
  figure({
    name: 'with a headline that only one language shows',
    value: bilingual.length,
    unit: 'reports',
    goal: { atLeast: 1 },
  });
  const keys = new Set(bilingual.map(({ key }) => key));
  const due = proof.due.filter(({ kind, period }) => keys.has(`${kind} ${period}`));
  const unnoticed = await tamper({ ...proof, due }, `SELECT item_id FROM record.edition_report`);
  figure({
    name: 'with a changed input of one language that was not noticed',
    value: unnoticed,
    unit: 'reports',
    goal: { exactly: 0 },
  });
}

async function proveRankings({ figure }: SuiteContext, { stage: { database } }: Proof): Promise<void> {
  const rankings = await replayRankings(database);
  figure({ name: 'rankings computed', value: rankings.made, unit: 'rankings' });
  figure({
    name: 'of these with topics',
    value: rankings.withTopics,
    unit: 'rankings',
    goal: { atLeast: 1 },
  });
  const not = (name: string, value: number): void =>
    figure({ name, value, unit: 'rankings', goal: { exactly: 0 } });
  not('rankings that do not replay byte for byte', rankings.notSame);
  const transaction = await database.startTransaction().execute();
  await sql`UPDATE record.ranking_evidence SET weight = weight + 1e-12 WHERE rank = 1`.execute(transaction);
  not(
    'rankings with a changed input that was not noticed',
    (await replayRankings(transaction)).sameWithTopics,
  );
  await transaction.rollback().execute();
}

/** Changes the record, so that it differs from the inputs of earlier editions. */
async function moveOn(
  publisher: Publisher,
  itemIds: readonly Id<'item'>[],
  random: () => number,
): Promise<number> {
  let changed = 0;
  for (const itemId of itemIds) {
    if (random() > 0.3) continue;
    changed += 1;
    const title = `Otherwise ${itemId.slice(-4)}`;
    await publisher.reviseItem({
      itemId,
      changes: { title, summary: title, score: Math.floor(random() * 100) },
    });
    if (random() < 0.3) await publisher.unselectItem({ itemId });
  }
  return changed;
}

/** Every tenth story becomes part of the one before it. */
async function mergeSome({ query }: YearStage['engine'], publisher: Publisher): Promise<number> {
  const stories = await query<{ id: Id<'story'> }>('SELECT id FROM record.story ORDER BY id');
  let merged = 0;
  for (let at = 9; at < stories.length; at += 10) {
    const [survivor, absorbed] = [stories[at - 1], stories[at]];
    if (survivor === undefined || absorbed === undefined) break;
    valueOf(await publisher.mergeStories({ absorbedId: absorbed.id, survivorId: survivor.id }));
    merged += 1;
  }
  return merged;
}

function outcomes({ stage: { database }, due }: Proof): ReturnType<typeof replayOutcomes> {
  return replayOutcomes(database, settings, due);
}

/** The items that gave the headlines are given other titles; how many replay as if nothing were. Then it is undone. */
async function tamper(
  proof: Proof,
  changed = 'SELECT headline_cites[1] FROM record.edition_revision',
): Promise<number> {
  const { query } = proof.stage.engine;
  await query('DROP TABLE IF EXISTS prove.words');
  await query('CREATE TABLE prove.words AS TABLE record.item_words');
  await query(`
    UPDATE record.item_words SET words = jsonb_set(words, '{title}', '"What nobody ever said about anything"')
    WHERE item_id IN (${changed})`);
  const unnoticed = (await outcomes(proof)).filter((one) => one === 'same').length;
  await query(`
    UPDATE record.item_words AS words SET words = saved.words FROM prove.words AS saved
    WHERE saved.item_id = words.item_id AND saved.hash = words.hash`);
  return unnoticed;
}
