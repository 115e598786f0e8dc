import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { EngineTimings } from '../../../apps/server/src/foundation/engine/engine.ts';
import { requestOnce } from '../news/http-question.ts';
import { untilRight } from '../news/watch-withdrawal.ts';
import type { LivingStage } from '../newsroom/living-stage.ts';
import { setLivingStage } from '../newsroom/living-stage.ts';
import type { LivedStory, StoryStep } from '../newsroom/living-story.ts';
import { isShown, liveStory, storySteps } from '../newsroom/living-story.ts';
import { nextMatchingDispatch } from '../newsroom/newsroom-stage.ts';
import type { ScriptedArticle } from '../newsroom/scripted-outlets.ts';
import { storySubjects } from '../newsroom/story-subjects.ts';

interface LivingPlan {
  readonly apis: number;
  readonly outlets: number;
  readonly intervalMs: number;
  readonly leaseMs: number;
  readonly timings: Partial<EngineTimings>;
  /** None in a quick run: a few seconds on a busy machine are not conclusive. */
  readonly articles: number;
  /** A story each; at which of its steps both workers are killed. */
  readonly stories: readonly (StoryStep | null)[];
}

const full: LivingPlan = {
  apis: 2,
  outlets: 8,
  intervalMs: 10_000,
  leaseMs: 20_000,
  timings: {},
  articles: 80,
  stories: [null, ...storySteps],
};
const quick: LivingPlan = {
  apis: 1,
  outlets: 3,
  intervalMs: 1_000,
  leaseMs: 2_000,
  timings: { takeoverGraceMs: 500, takeoverEveryMs: 200, reconcileEveryMs: 2_000 },
  articles: 0,
  stories: ['published'],
};

const shownAfterPollMs = 5_000;
const dailyWithinMs = 90_000;
const reader = 'reader@example.org';

export const suite: Suite = {
  name: 'living',
  nightly: true,
  summary:
    'A published article reaches every surface within a poll interval and five seconds, and its edits, disputes and withdrawal follow, while workers are killed.',
  headline: 'from publication until',
  promise:
    'Publishers on loopback, two workers and two api processes run; both workers are killed between any two steps. 95 of 100 articles are in the API, a feed and the Markdown for agents within one poll interval and five seconds, and, once selected, in the mirror. An edit revises the item; a report of another owner joins its story, both are cited, and the next ranking includes it; a different figure appears as a contradiction. A withdrawn item disappears everywhere within a second and is in the corrections. At 08:00 the daily is published within 90 seconds, once, and mailed once to its subscriber. A quick run has one api process, one story and one kill, and does not measure the 95 of 100.',
  run: async (context) => {
    const plan = context.quick ? quick : full;
    const stage = await setLivingStage(context.root, plan);
    try {
      if (plan.articles > 0) await proveFreshness(context, stage, plan);
      await proveStories(context, stage, plan);
      await proveDaily(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

/** Each at a random moment between two polls. */
async function proveFreshness(context: SuiteContext, stage: LivingStage, plan: LivingPlan): Promise<void> {
  const next = nextMatchingDispatch(({ language, role }) => language === 'en' && role === 'single');
  const random = seededRandom(160);
  const publish = async (at: number, outlet: number): Promise<number> => {
    const word = `Quokka${at}`;
    const { title, body } = next();
    const beganMs = systemClock.nowMs();
    stage.outlets.publish(outlet, { title: `${title}, says ${word}`, text: body() }, new Date(stage.nowMs()));
    const looks = stage.ports.map((port) => untilRight(() => isShown(port, word), { everyMs: 150 }));
    return Math.max(...(await Promise.all(looks))) - beganMs;
  };
  // The first ones wait for processes that start, and are not counted.
  await Promise.all(Array.from({ length: plan.outlets }, (_, outlet) => publish(10_000 + outlet, outlet)));
  const waits: Promise<number>[] = [];
  for (let at = 0; at < plan.articles; at += 1) {
    waits.push(publish(at, at % plan.outlets));
    await delay((plan.intervalMs / 4) * random());
  }
  const sorted = (await Promise.all(waits)).sort((one, other) => one - other);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Infinity;
  context.figure({ name: 'poll interval', value: plan.intervalMs, unit: 'ms' });
  context.figure({ name: 'articles published', value: sorted.length, unit: 'articles' });
  context.figure({
    name: 'from publication until every api process shows it, 95th percentile',
    value: p95,
    unit: 'ms',
    goal: { atMost: plan.intervalMs + shownAfterPollMs },
  });
}

async function proveStories(context: SuiteContext, stage: LivingStage, plan: LivingPlan): Promise<void> {
  const lived: LivedStory[] = [];
  for (const [at, step] of plan.stories.entries()) {
    const kill = (reached: StoryStep, article: ScriptedArticle): void => {
      if (reached === step) void killWorkersAt(stage, step, article);
    };
    const subject = storySubjects[at];
    if (subject === undefined) throw new RangeError('fewer subjects than steps');
    lived.push(await liveStory(stage, subject, kill));
    context.note(
      `story ${subject.name}, ${step === null ? 'no worker killed' : `workers killed when ${step}`}`,
    );
  }
  const wrong = lived.flatMap((story) => story.wrong);
  for (const line of wrong) context.note(line);
  const undisturbed = lived[plan.stories.indexOf(null)];
  const slowest = (of: (story: LivedStory) => number): number => Math.round(Math.max(...lived.map(of)));
  context.figure({ name: 'stories', value: lived.length, unit: 'stories' });
  context.figure({
    name: 'of these with both workers killed',
    value: plan.stories.filter((step) => step !== null).length,
    unit: 'stories',
  });
  context.figure({ name: 'promises broken', value: wrong.length, unit: 'promises', goal: { exactly: 0 } });
  if (undisturbed !== undefined) undisturbedFigures(context, undisturbed);
  context.figure({
    name: 'from withdrawal until removed everywhere, at most',
    value: slowest(({ withdrawnMs }) => withdrawnMs),
    unit: 'ms',
    goal: { atMost: 1_000 },
  });
  const doubled = await doubledItems(stage);
  context.figure({
    name: 'articles with two items',
    value: doubled,
    unit: 'articles',
    goal: { exactly: 0 },
  });
}

function undisturbedFigures({ figure }: SuiteContext, story: LivedStory): void {
  const times = {
    'from the edit until the revision': story.revisedMs,
    'from the report of another owner until one story cites both': story.joinedMs,
    'from the slot of the ranking until it is ranked': story.rankedMs,
    'from a different figure until the contradiction is shown': story.disputedMs,
  };
  for (const [name, value] of Object.entries(times)) figure({ name, value, unit: 'ms' });
}

/** The state of the database after a step and before the next one. */
const reached: Readonly<Record<StoryStep, string>> = {
  stored: 'SELECT FROM newsroom.entry WHERE url = $1',
  published: 'SELECT FROM record.item WHERE original_url = $1',
  joined: 'SELECT FROM record.item WHERE original_url = $1',
  revised: 'SELECT FROM newsroom.entry WHERE url = $1 AND revision > 1',
  ranking: `SELECT FROM dbos.workflow_status WHERE name = 'rank-stories' AND status IN ('PENDING', 'ENQUEUED') AND $1 <> ''`,
  digest: `SELECT FROM dbos.workflow_status WHERE name = 'digest-story' AND status IN ('PENDING', 'ENQUEUED') AND $1 <> ''`,
};

async function killWorkersAt(
  { engine, workers }: LivingStage,
  step: StoryStep,
  { url }: ScriptedArticle,
): Promise<void> {
  await untilRight(async () => (await engine.query(reached[step], [url])).length > 0, { everyMs: 5 });
  for (const slot of [0, 1]) workers.signal(slot, 'SIGKILL');
}

async function doubledItems({ engine }: LivingStage): Promise<number> {
  const rows = await engine.query(
    'SELECT FROM record.item WHERE withdrawn_at IS NULL GROUP BY original_url HAVING count(*) > 1',
  );
  return rows.length;
}

async function proveDaily(context: SuiteContext, stage: LivingStage): Promise<void> {
  await stage.subscribe(reader);
  const confirmed = stage.mails.length;
  const date = new Date(stage.dailyDueMs).toISOString().slice(0, 10);
  const beganMs = systemClock.nowMs();
  stage.moveTo(stage.dailyDueMs);
  const looks = stage.ports.map((port) =>
    untilRight(async () => (await requestOnce(port, `/api/v1/dailies/${date}`)).status === 200, {
      withinMs: 180_000,
    }),
  );
  const tookMs = Math.max(...(await Promise.all(looks))) - beganMs;
  context.figure({
    name: 'from 08:00 until the daily is shown',
    value: tookMs,
    unit: 'ms',
    goal: { atMost: dailyWithinMs },
  });
  const revisions = await stage.engine.query(
    `SELECT FROM record.edition_revision WHERE kind = 'daily' AND period = $1`,
    [date],
  );
  context.figure({
    name: 'revisions of that daily',
    value: revisions.length,
    unit: 'revisions',
    goal: { exactly: 1 },
  });
  const settled = `SELECT FROM mailing.mailed_edition WHERE kind = 'daily' AND period = $1 AND completed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM mailing.delivery WHERE state IN ('waiting', 'sending'))`;
  await untilRight(async () => (await stage.engine.query(settled, [date])).length > 0);
  context.figure({
    name: 'mails of it to one subscriber',
    value: stage.mails.length - confirmed,
    unit: 'mails',
    goal: { exactly: 1 },
  });
}
