import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { createWorld } from '@daybook/newswire';

import { dayMs, minuteMs } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { addMs, instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import type { Publisher } from '../../../apps/server/src/record/index.ts';
import { editions } from '../../../apps/server/src/record/index.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import type { DraftLog } from '../editions/draft-editors.ts';
import { activeEdits, contradictions, DraftEditors } from '../editions/draft-editors.ts';
import type { DueEdition } from '../editions/due-editions.ts';
import { dueEditions } from '../editions/due-editions.ts';
import { readEditions, replayOutcomes } from '../editions/edition-evidence.ts';
import { fileClock } from '../editions/file-clock.ts';
import type { YearStage } from '../editions/year-stage.ts';
import { setYearStage, shanghai } from '../editions/year-stage.ts';

const settings = { language: 'en', aliases: [] } as const;
const from = shanghai('2026-12-28T09:00');

export const suite: Suite = {
  name: 'drafts',
  nightly: true,
  summary:
    'Every report is published once and on its minute with exactly what editors saved in its draft, while workers are killed.',
  promise:
    'In a simulated quarter (with `--quick` 28 December to 4 January, with week 53), two editors edit the drafts of most reports, and none of the others: one after the other, both from the same form, requests sent twice, and up to the last millisecond while the clock reaches the hour. Items appear after the edits. Workers are killed with `kill -9` at the hour of every other report. Each report is published once, within a minute, with exactly the edits that were answered as saved; each edit that no longer applied has its entry in the journal. Every report is the same byte for byte in every language when it is made again from its material and the edits, a changed edit is noticed, and after withdrawals nothing remains of the words about withdrawn items.',
  measuresNoTime: true,
  run: async (context) => {
    const to = shanghai(context.quick ? '2027-01-04T12:00' : '2027-03-26T12:00');
    const folder = await mkdtemp(join(tmpdir(), 'daybook-drafts-'));
    const days = Math.ceil((instantToMs(to) - instantToMs(from)) / dayMs);
    const world = createWorld({ seed: 32, startsAt: instantToMs(from), days, itemsPerDay: 40 });
    const stage = await setYearStage(world, folder);
    const connection = connectDatabase({
      url: stage.engine.applicationUrl,
      name: 'prove drafts',
      connectionsMax: 8,
      statementTimeoutMs: 60_000,
      connectTimeoutMs: 5_000,
    });
    try {
      const clock = fileClock(`${folder}/clock`);
      stage.setTime(from);
      const ids = createIdSource({ clock, randomBytes });
      const publisher = createPublisher({ database: connection.database, clock, ids });
      const random = seededRandom(32);
      const editors = new DraftEditors(connection.database, { clock, publisher, random });
      const due = dueEditions({ from, to });
      const logs = await passTime(context, { stage, editors, random, due });
      await judge(context, { stage, database: connection.database, publisher, due, logs });
    } finally {
      await connection.close();
      await stage.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Passage {
  readonly stage: YearStage;
  readonly editors: DraftEditors;
  readonly random: () => number;
  readonly due: readonly DueEdition[];
}

async function passTime(
  context: SuiteContext,
  { stage, editors, random, due }: Passage,
): Promise<ReadonlyMap<string, DraftLog>> {
  const logs = new Map<string, DraftLog>();
  const workers = stage.startWorkers();
  let [kills, slowestMs, at] = [0, 0, 0];
  let now = from;
  try {
    for (const edition of due) {
      const log: DraftLog = { saved: [], undone: new Set(), refused: 0, late: 0, unfair: 0 };
      logs.set(edition.key, log);
      const isAbsent = random() < 0.2;
      const before = addMs(edition.dueAt, -50 * minuteMs);
      await stage.publishUntil(before);
      // A monthly opens before the weekly of the same day is published.
      stage.setTime(before > now ? before : now);
      if (!isAbsent) {
        await editors.editOneByOne(edition, log, 6);
        await editors.editAtOnce(edition, log);
      }
      await stage.publishUntil(edition.dueAt);
      stage.setTime(addMs(edition.dueAt, -1));
      const last = isAbsent ? Promise.resolve() : editors.editUntilTheHour(edition, log, 8);
      await delay(random() * 120);
      const startedAt = performance.now();
      stage.setTime(edition.dueAt);
      now = edition.dueAt;
      if ((at += 1) % 2 === 0) {
        kills += 1;
        await delay(random() * 300);
        for (const slot of random() < 0.5 ? [0, 1] : [0]) workers.signal(slot, 'SIGKILL');
      }
      await Promise.all([last, untilMade(stage, edition)]);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
  } finally {
    await workers.stop();
  }
  context.figure({ name: 'reports during which workers were killed', value: kills, unit: 'reports' });
  context.figure({
    name: 'slowest publication after its hour',
    value: Math.round(slowestMs),
    unit: 'ms',
    goal: { atMost: minuteMs },
  });
  return logs;
}

async function untilMade(stage: YearStage, { kind, period }: DueEdition): Promise<void> {
  const givenUpAt = performance.now() + minuteMs;
  for (;;) {
    const made = await stage.engine.query('SELECT FROM record.edition WHERE kind = $1 AND period = $2', [
      kind,
      period,
    ]);
    if (made.length > 0) return;
    if (performance.now() > givenUpAt) throw new Error(`not made within a minute: ${kind} ${period}`);
    await delay(25);
  }
}

interface Outcome {
  readonly stage: YearStage;
  readonly database: Database;
  readonly publisher: Publisher;
  readonly due: readonly DueEdition[];
  readonly logs: ReadonlyMap<string, DraftLog>;
}

async function judge(context: SuiteContext, outcome: Outcome): Promise<void> {
  const { stage, due, logs } = outcome;
  const all = [...logs.values()];
  const none = (name: string, value: number, unit = 'reports'): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  const some = (name: string, value: number, unit: string): void =>
    context.figure({ name, value, unit, goal: { atLeast: 1 } });
  const made = await readEditions(stage.engine.query);
  context.figure({ name: 'reports published', value: made.length, unit: 'reports' });
  none('due and not published once', due.length - made.filter(({ revisions }) => revisions === 1).length);
  const dueAt = new Map(due.map((edition) => [edition.key, edition.dueAt]));
  none('not published at their hour', made.filter(({ key, at }) => at !== dueAt.get(key)).length);
  some('without an edit', all.filter(({ saved }) => saved.length === 0).length, 'reports');
  some(
    'edits saved',
    all.reduce((sum, { saved }) => sum + saved.length, 0),
    'edits',
  );
  some(
    'edits saved in the last moment',
    all.reduce((sum, { late }) => sum + late, 0),
    'edits',
  );
  some(
    'edits undone',
    all.reduce((sum, { undone }) => sum + undone.size, 0),
    'edits',
  );
  some(
    'edits refused: stale, repeated or too late',
    all.reduce((sum, { refused }) => sum + refused, 0),
    'edits',
  );
  none(
    'rounds of two editors without exactly one winner',
    all.reduce((sum, { unfair }) => sum + unfair, 0),
    'rounds',
  );
  await judgeEdits(context, outcome);
  await judgeReplays(context, outcome);
}

/** The edits that were answered as saved are those in the database, in the journal and in the report. */
async function judgeEdits(context: SuiteContext, { stage, database, due, logs }: Outcome): Promise<void> {
  let [lost, doubled, unrecorded, contradicted, fellBack] = [0, 0, 0, 0, 0];
  for (const edition of due) {
    const log = logs.get(edition.key);
    if (log === undefined) continue;
    const stored = await stage.engine.query<{
      id: string;
      event: string | null;
      entries: number;
      fallen: boolean;
    }>(
      `SELECT saved.id::text, saved.operation ->> 'event' AS event,
         (SELECT count(*)::int FROM newsroom.journal_entry AS entry WHERE entry.action LIKE 'draft-%'
           AND entry.action <> 'draft-undo' AND entry.subject = $2 AND entry.detail ->> 'operation' = saved.id::text) AS entries,
         EXISTS (SELECT FROM newsroom.journal_entry AS entry WHERE entry.action = 'fall-back'
           AND entry.subject = $2 AND entry.detail ->> 'operation' = saved.id::text) AS fallen
       FROM newsroom.edition_operation AS saved WHERE kind = $1 AND period = $2 AND undoes IS NULL`,
      [edition.kind, edition.period],
    );
    const [known, told] = [
      new Set(stored.map(({ id }) => id)),
      new Set(log.saved.map((one) => one.operationId)),
    ];
    lost += [...told].filter((id) => !known.has(id)).length;
    doubled += [...known].filter((id) => !told.has(id)).length + log.saved.length - told.size;
    unrecorded += stored.filter(({ entries }) => entries !== 1).length;
    const fallen = new Set(stored.filter((one) => one.fallen).map(({ id }) => id));
    fellBack += fallen.size;
    const published = await editions.readEdition(database, edition.kind, edition.period);
    if (published === null) continue;
    const eventOf = new Map(
      stored.flatMap(({ id, event }) => (event === null ? [] : [[id, event] as const])),
    );
    const wrong = contradictions(published, activeEdits(log), { fallen, eventOf });
    contradicted += wrong.length;
    for (const one of wrong) context.note(`${edition.key}: ${one}`);
  }
  const figure = (name: string, value: number): void =>
    context.figure({ name, value, unit: 'edits', goal: { exactly: 0 } });
  figure('saved edits that are lost', lost);
  figure('edits that were stored and not answered as saved', doubled);
  figure('edits without exactly one entry in the journal', unrecorded);
  figure('edits that the published report contradicts', contradicted);
  context.figure({ name: 'edits that no longer applied, journalled', value: fellBack, unit: 'edits' });
}

async function judgeReplays(context: SuiteContext, outcome: Outcome): Promise<void> {
  const { stage, database, publisher, due, logs } = outcome;
  const edited = due.filter(({ key }) => activeEdits(logs.get(key) ?? noLog).length > 0);
  const not = (name: string, value: number, unit = 'reports'): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  const replays = await replayOutcomes(database, settings, due);
  not('not the same byte for byte when made again', replays.filter((one) => one !== 'same').length);
  not('with a changed edit and yet the same', await tamper(stage, database, edited));
  const rows = await stage.engine.query<{ id: Id<'item'> }>(
    'SELECT DISTINCT unnest(item_ids) AS id FROM newsroom.edition_operation ORDER BY 1 LIMIT 12',
  );
  for (const { id: itemId } of rows) await publisher.withdrawItem({ itemId, reason: 'For the proof.' });
  const after = await replayOutcomes(database, settings, due);
  not(
    'neither the same nor redacted after withdrawals',
    after.filter((one) => one !== 'same' && one !== 'redacted').length,
  );
  const [left] = await stage.engine.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM newsroom.edition_operation WHERE words IS NOT NULL AND item_ids && $1::uuid[]`,
    [rows.map(({ id }) => id)],
  );
  not('edits with words about withdrawn items', left?.count ?? -1, 'edits');
}

const noLog: DraftLog = { saved: [], undone: new Set(), refused: 0, late: 0, unfair: 0 };

/** One text of each edited report is changed by a superuser: how many replay as if nothing were. Then it is undone. */
async function tamper(stage: YearStage, database: Database, edited: readonly DueEdition[]): Promise<number> {
  const { query } = stage.engine;
  const rewritten = await query<{ key: string }>(
    `SELECT DISTINCT kind || ' ' || period AS key FROM newsroom.edition_operation AS saved
     WHERE operation ->> 'op' = 'note' AND words ->> 'note' <> ''
       AND NOT EXISTS (SELECT FROM newsroom.edition_operation AS undo WHERE undo.undoes = saved.id)`,
  );
  const keys = new Set(rewritten.map(({ key }) => key));
  const change = (words: string) =>
    query(`
      ALTER TABLE newsroom.edition_operation DISABLE TRIGGER edition_operation_erased_only;
      UPDATE newsroom.edition_operation SET words = ${words} WHERE operation ->> 'op' = 'note' AND words ->> 'note' <> '';
      ALTER TABLE newsroom.edition_operation ENABLE TRIGGER edition_operation_erased_only`);
  await change(`jsonb_set(words, '{note}', to_jsonb('x' || (words ->> 'note')))`);
  const concerned = edited.filter(({ key }) => keys.has(key));
  const unnoticed = (await replayOutcomes(database, settings, concerned)).filter(
    (one) => one === 'same',
  ).length;
  await change(`jsonb_set(words, '{note}', to_jsonb(substring(words ->> 'note' FROM 2)))`);
  return unnoticed;
}
