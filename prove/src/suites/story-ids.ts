import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { sql } from 'kysely';
import pg from 'pg';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { requestUntilNotBusy } from '../news/http-question.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { countBrokenPromises } from '../news/record-promises.ts';
import type { ExpectedAnswer, StoryChange, StoryWorkerDemand } from '../stories/story-orders.ts';
import { StoryModelOfSuite } from '../stories/story-orders.ts';

const workers = 4;
/** On a slow machine the work continues until every kind of change was made so often. */
const quickChangesMin = 3;
const fullChangesMin = 50;
const graceMs = 180_000;
const changeKinds = ['publish', 'merge', 'split', 'withdraw'] as const;
const program = fileURLToPath(new URL('../processes/story-worker.ts', import.meta.url));

export const suite: Suite = {
  name: 'story-ids',
  summary:
    'Every story id answers 200, 308 or 404 as expected while workers publish, merge, split and withdraw and are killed.',
  headline: 'ids requested',
  promise:
    'Four workers publish reports into stories, merge, split and withdraw at random while they are killed with `kill -9`. Every public id ever issued answers as the suite’s own model says: 200 with exactly the reports of the story, 308 to the final survivor, 404 only if all its reports are withdrawn. Events whose first reports arrive at all workers at one instant open one story each. `record verify` finds no fault.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await setNewsStage(context.root);
    try {
      await createJournal(stage.urls.owner);
      await rollWindow(stage.database, systemClock.now());
      const kills = await workUnderKills(context, stage);
      context.figure({ name: 'workers killed', value: kills, unit: 'kills' });
      await checkStories(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

async function createJournal(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(
    `CREATE TABLE public.story_change (position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, change jsonb NOT NULL);
     GRANT SELECT, INSERT ON public.story_change TO daybook_application`,
  );
  await client.end();
}

/** Time counts from when all four run, and a killed worker runs again before the next kill. */
async function workUnderKills({ quick }: SuiteContext, { urls, database }: NewsStage): Promise<number> {
  const random = seededRandom(3);
  const settings = { url: urls.application, workers, items: quick ? 400 : 2_000 };
  let lives = 0;
  const start = (worker: number): Promise<ChildProcess> => {
    lives += 1;
    return startWorker({ ...settings, worker, seed: lives });
  };
  const running = await Promise.all(Array.from({ length: workers }, (_, worker) => start(worker)));
  const beganAtMs = Date.now();
  const endsAtMs = beganAtMs + (quick ? 9_000 : 120_000);
  const changesMin = quick ? quickChangesMin : fullChangesMin;
  for (const child of running) child.send(beganAtMs);
  let kills = 0;
  while (
    Date.now() < endsAtMs ||
    ((await rarestChange(database)) < changesMin && Date.now() < endsAtMs + graceMs)
  ) {
    await delay(500 + random() * 1_500);
    const worker = Math.floor(random() * workers);
    await kill(running[worker]);
    kills += 1;
    const next = await start(worker);
    running[worker] = next;
    next.send(beganAtMs);
  }
  await Promise.all(running.map(kill));
  return kills;
}

/** How often the rarest of the four kinds of change was made. */
async function rarestChange(database: NewsStage['database']): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    SELECT count(story_change.change)::integer AS made
    FROM unnest(${[...changeKinds]}::text[]) AS kind (name)
    LEFT JOIN public.story_change ON story_change.change ->> 'kind' = kind.name
    GROUP BY kind.name`.execute(database);
  return Math.min(...rows.map(({ made }) => made));
}

async function startWorker(demand: StoryWorkerDemand): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(demand)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function checkStories(context: SuiteContext, stage: NewsStage): Promise<void> {
  const { rows } = await sql<{ change: StoryChange }>`
    SELECT change FROM public.story_change ORDER BY position`.execute(stage.database);
  const model = new StoryModelOfSuite();
  for (const { change } of rows) model.apply(change);
  const goal = { atLeast: context.quick ? quickChangesMin : fullChangesMin };
  for (const kind of changeKinds) {
    const value = rows.filter(({ change }) => change.kind === kind).length;
    context.figure({ name: `changes: ${kind}`, value, unit: 'changes', goal });
  }
  const automatic = rows.reduce(
    (sum, { change }) => sum + (change.kind === 'publish' ? change.merges.length : 0),
    0,
  );
  context.figure({ name: 'merges by late evidence', value: automatic, unit: 'merges' });
  const openings = [...model.openedFor.values()];
  context.figure({ name: 'events reported at one instant', value: openings.length, unit: 'events' });
  context.figure({
    name: 'of these that opened two stories',
    value: openings.filter((opened) => opened.size > 1).length,
    unit: 'events',
    goal: { exactly: 0 },
  });
  await askEveryId(context, stage, model.expected());
  await countBrokenPromises(context, stage.newsReader, systemClock.now());
}

async function askEveryId(
  context: SuiteContext,
  stage: NewsStage,
  expected: ReturnType<StoryModelOfSuite['expected']>,
): Promise<void> {
  const port = await stage.startApi({ DAYBOOK_RATE_PER_MINUTE: '1000000' });
  const counts = { 200: 0, 308: 0, 404: 0, wrong: 0 };
  for (const [id, answer] of expected) {
    const wrong = await differs(port, id, answer);
    if (wrong !== null) {
      counts.wrong += 1;
      if (counts.wrong <= 5) context.note(`${id}: ${wrong}`);
    }
    counts[answer.status] += 1;
  }
  context.figure({ name: 'ids requested', value: expected.size, unit: 'ids' });
  context.figure({ name: 'of these a story with its reports (200)', value: counts[200], unit: 'ids' });
  context.figure({ name: 'of these merged (308)', value: counts[308], unit: 'ids' });
  context.figure({ name: 'of these with all reports withdrawn (404)', value: counts[404], unit: 'ids' });
  context.figure({
    name: 'responses that differ from the model',
    value: counts.wrong,
    unit: 'ids',
    goal: { exactly: 0 },
  });
}

/** The error of the response, or null. */
async function differs(port: number, id: string, expected: ExpectedAnswer): Promise<string | null> {
  const answer = await requestUntilNotBusy(port, `/api/v1/stories/${id}`);
  if (answer.status !== expected.status) return `${answer.status} instead of ${expected.status}`;
  if (expected.status === 308) {
    const wanted = `/api/v1/stories/${expected.into}`;
    return answer.headers.location === wanted ? null : `leads to ${answer.headers.location}, not ${wanted}`;
  }
  if (expected.status === 404) return null;
  const { story } = JSON.parse(answer.text) as {
    story: { reportCount: number; reports: readonly { id: string }[] };
  };
  const shown = new Set(story.reports.map((report) => report.id));
  if (story.reportCount !== expected.itemIds.size)
    return `${story.reportCount} reports instead of ${expected.itemIds.size}`;
  const strange = [...shown].filter((item) => !(expected.itemIds as ReadonlySet<string>).has(item));
  return strange.length === 0 ? null : `shows ${strange.join(', ')}`;
}
