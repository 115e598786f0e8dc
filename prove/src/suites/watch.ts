import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { createPostOnce } from '../../../apps/server/src/foundation/outbound/post-once.ts';
import { readUndeliveredWatchMail } from '../../../apps/server/src/watch/wiring.ts';
import { createWatchDraw } from '../watch/watch-draw.ts';
import { isReached, judgeMails, judgeMatches, judgePosts } from '../watch/watch-judge.ts';
import { WatchNewsroom } from '../watch/watch-newsroom.ts';
import { WatchOracle } from '../watch/watch-oracle.ts';
import { privateAddresses, WatchPeople } from '../watch/watch-people.ts';
import type { ArrivedPost } from '../watch/watch-receivers.ts';
import type { WatchStage } from '../watch/watch-stage.ts';
import {
  comparing,
  entriesWaiting,
  setWatchStage,
  untilCompared,
  untilDelivered,
  untilMailed,
} from '../watch/watch-stage.ts';

export const suite: Suite = {
  name: 'watch',
  nightly: true,
  summary:
    'Saved searches find every matching item once, and nothing is sent twice by mail, lost by webhook, or sent after its end, while workers are killed.',
  headline: 'matches that the oracle requires',
  promise:
    'Accounts save, change and delete searches while items are published, revised, selected, withdrawn and their stories merged. Two workers compare, mail and post by a real mail server and real receivers. They are killed with `kill -9` inside the transaction that compares, when a mail has arrived and its acknowledgement has not, and when a webhook has arrived and its answer has not. An oracle that imports nothing of the server compares every item with every search, by the guide alone. The stored matches equal its decision. No mail and no match arrives twice by mail; a match that did not arrive is in a mail that is listed as undelivered. Each match reaches its webhook with the same id in every attempt and a valid signature, also if the receiver fails, cuts the connection or answers late. A second after a search, a webhook or an account ended, or mail was unsubscribed, nothing of it is sent. The attackers are owners of accounts, who know the code and enter addresses of this machine in six spellings, and receivers that redirect to it; nothing connects to it.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await setWatchStage('2026-11-16T16:10:00.000Z');
    try {
      await watchHours(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

interface Amounts {
  readonly hours: number;
  readonly items: number;
  readonly searches: number;
  /** Kills in an hour while workers compare; mails and posts between two kills. */
  readonly killsPerHour: number;
  readonly mailsBetweenKills: number;
  readonly postsBetweenKills: number;
}

const full: Amounts = {
  hours: 6,
  items: 10_000,
  searches: 2_000,
  killsPerHour: 5,
  mailsBetweenKills: 70,
  postsBetweenKills: 500,
};
const quick: Amounts = {
  hours: 2,
  items: 200,
  searches: 120,
  killsPerHour: 1,
  mailsBetweenKills: 5,
  postsBetweenKills: 40,
};
const batch = 20;

async function watchHours(context: SuiteContext, stage: WatchStage): Promise<void> {
  const amounts = context.quick ? quick : full;
  const oracle = new WatchOracle();
  const draw = createWatchDraw(41, 0);
  const people = new WatchPeople(stage, oracle, createWatchDraw(41, 1));
  const newsroom = new WatchNewsroom(stage, oracle, createWatchDraw(41, 2));
  const world = { stage, oracle, people, newsroom };
  const kills = injectFaults(stage, amounts);
  const faults = { lost: new Set<string>(), wrong: new Set<string>() };
  const atFirst = Math.floor(amounts.searches * 0.7);
  for (let at = 0; at < atFirst; at += 1) await people.save();
  await newsroom.publish(batch);
  for (let hour = 1; hour <= amounts.hours; hour += 1) {
    const share = (total: number): number => Math.floor((total * hour) / amounts.hours);
    const published = (async () => {
      while (newsroom.published < share(amounts.items)) {
        await newsroom.publish(batch);
        for (let changes = 0; changes < 3; changes += 1) await newsroom.change();
      }
    })();
    const acted = (async () => {
      while (people.searches.size < atFirst + share(amounts.searches - atFirst)) {
        await people.save();
        if (draw.chance(0.4)) await people.act();
      }
    })();
    const killed = kills.whileComparing(Promise.all([published, acted]));
    await Promise.all([published, acted, killed]);
    await untilCompared(stage);
    oracle.settled();
    await judgeMatches(world, faults);
    await untilDelivered(
      stage,
      people.webhooks.filter(({ kind }) => isReached(kind)).map(({ id }) => id),
    );
    stage.setTime(hour === amounts.hours ? '2026-11-17T00:00:01.000Z' : nextHour(stage));
    await untilMailed(stage);
    context.note(
      `hour ${hour}: ${newsroom.published} items, ${stage.mails.length} mails, ${kills.count()} kills`,
    );
  }
  kills.stop();
  stateMatches(context, { ...world, faults, kills });
  await stateMails(context, { ...world, kills });
  await statePosts(context, world);
  await statePrivate(context, stage);
}

function nextHour({ clock }: WatchStage): string {
  const hourMs = 3_600_000;
  return new Date((Math.floor(clock.nowMs() / hourMs) + 1) * hourMs + 1_000).toISOString();
}

interface Kills {
  readonly count: () => number;
  readonly comparing: () => number;
  /** Kills inside the transaction that compares, each after another one has been committed. */
  readonly whileComparing: (published: Promise<unknown>) => Promise<void>;
  readonly stop: () => void;
}

function injectFaults(stage: WatchStage, amounts: Amounts): Kills {
  const { receivers, hooks, database } = stage;
  let [kills, inside, mails, posts, stopped] = [0, 0, 0, 0, false];
  const kill = (): void => {
    if (stopped) return;
    stage.killWorkers();
    kills += 2;
  };
  hooks.onMail = () => {
    mails += 1;
    if (mails % amounts.mailsBetweenKills === 0) kill();
  };
  receivers.onPost = () => {
    posts += 1;
    if (posts % amounts.postsBetweenKills === 0) kill();
  };
  receivers.answerOf = answersOf();
  return {
    count: () => kills,
    comparing: () => inside,
    whileComparing: async (published) => {
      let [killed, last] = [0, -1];
      const publishing = { isOver: false };
      void published
        .finally(() => {
          publishing.isOver = true;
        })
        .catch(() => {});
      while (!publishing.isOver || (await entriesWaiting(database)) > 0) {
        const { isLocked, nextLeaf } = await comparing(database);
        if (isLocked && nextLeaf > last && killed < amounts.killsPerHour) {
          kill();
          [last, killed, inside] = [nextLeaf, killed + 1, inside + 1];
        }
        await delay(isLocked ? 200 : 3);
      }
    },
    stop: () => {
      stopped = true;
    },
  };
}

/** As the receivers of the people behave, by the number in the host. */
function answersOf(): (post: ArrivedPost) => number | 'cut' {
  const attempts = new Map<string, number>();
  return ({ host, id }) => {
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const number = Number(/\d+/u.exec(host)?.[0]) % 10;
    if (number === 1 && attempt <= 2) return 503;
    if (number === 3 && attempt === 1) return 'cut';
    if (number === 5) return 302;
    return number === 7 ? 410 : 204;
  };
}

const zero = { exactly: 0 } as const;

type World = Parameters<typeof judgePosts>[0];

function stateMatches(
  { figure, note, quick: isQuick }: SuiteContext,
  given: World & {
    readonly kills: Kills;
    readonly faults: { readonly lost: ReadonlySet<string>; readonly wrong: ReadonlySet<string> };
  },
): void {
  const { oracle, people, newsroom, kills, faults } = given;
  const required = [...people.searches.keys()].reduce((sum, id) => sum + oracle.requiredOf(id).size, 0);
  for (const [name, pairs] of Object.entries(faults))
    for (const pair of [...pairs].slice(0, 5)) note(`${name}: ${pair}: ${oracle.describe(pair)}`);
  figure({ name: 'items published', value: newsroom.published, unit: 'items' });
  figure({ name: 'searches saved', value: people.searches.size, unit: 'searches' });
  figure({ name: 'comparisons by the oracle', value: oracle.comparisons, unit: 'comparisons' });
  figure({
    name: 'workers killed',
    value: kills.count(),
    unit: 'kills',
    goal: { atLeast: isQuick ? 4 : 60 },
  });
  figure({
    name: 'moments of them inside the transaction that compares',
    value: kills.comparing(),
    unit: 'moments',
    goal: { atLeast: isQuick ? 1 : 20 },
  });
  figure({ name: 'matches that the oracle requires', value: required, unit: 'matches' });
  figure({ name: 'matches lost', value: faults.lost.size, unit: 'matches', goal: zero });
  figure({ name: 'matches that the oracle refuses', value: faults.wrong.size, unit: 'matches', goal: zero });
}

async function stateMails({ figure }: SuiteContext, world: World & { readonly kills: Kills }): Promise<void> {
  const { stage, kills } = world;
  const verdict = await judgeMails(world);
  const listed = await readUndeliveredWatchMail(stage.database, 1_000_000);
  figure({ name: 'mails arrived', value: stage.mails.length, unit: 'mails' });
  figure({ name: 'mails that arrived twice', value: verdict.arrivedTwice, unit: 'mails', goal: zero });
  figure({ name: 'matches due by mail', value: verdict.due, unit: 'matches' });
  figure({ name: 'matches mailed twice', value: verdict.mailedTwice, unit: 'matches', goal: zero });
  figure({
    name: 'matches neither mailed nor in a listed mail',
    value: verdict.lost,
    unit: 'matches',
    goal: zero,
  });
  figure({
    name: 'mails listed as uncertain',
    value: listed.filter(({ reason }) => reason === 'in_doubt').length,
    unit: 'mails',
    goal: { atMost: 4 * kills.count() },
  });
  figure({
    name: 'mails after unsubscribing or deletion',
    value: verdict.afterEnd,
    unit: 'mails',
    goal: zero,
  });
  figure({ name: 'withdrawn items mailed', value: verdict.withdrawn, unit: 'items', goal: zero });
}

async function statePosts({ figure, quick: isQuick }: SuiteContext, world: World): Promise<void> {
  const { stage, people } = world;
  const verdict = judgePosts(world);
  figure({ name: 'webhooks', value: people.webhooks.length, unit: 'webhooks' });
  figure({ name: 'deliveries due', value: verdict.due, unit: 'deliveries' });
  figure({ name: 'deliveries lost', value: verdict.lost, unit: 'deliveries', goal: zero });
  figure({
    name: 'requests repeated with the same id',
    value: verdict.repeated,
    unit: 'requests',
    goal: { atLeast: isQuick ? 1 : 50 },
  });
  figure({ name: 'deliveries with a second id', value: verdict.secondIds, unit: 'deliveries', goal: zero });
  figure({ name: 'requests with a wrong signature', value: verdict.unsigned, unit: 'requests', goal: zero });
  figure({
    name: 'requests after the end of a webhook, search or account',
    value: verdict.afterEnd,
    unit: 'requests',
    goal: zero,
  });
  figure({ name: 'withdrawn items posted', value: verdict.withdrawn, unit: 'items', goal: zero });
  const deleted = people.people.filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
  const tables = ['saved_search', 'mail', 'webhook', 'feed_address'];
  let rows = 0;
  for (const table of tables) {
    const [row] = await stage.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM watch.${table} WHERE account_id = ANY ($1)`,
      [deleted],
    );
    rows += row?.rows ?? 0;
  }
  figure({ name: 'accounts deleted', value: deleted.length, unit: 'accounts' });
  figure({ name: 'rows of them that are left', value: rows, unit: 'rows', goal: zero });
}

async function statePrivate({ figure }: SuiteContext, { canary, query }: WatchStage): Promise<void> {
  const reached = canary.connections();
  const [row] = await query<{ refused: number }>(
    `SELECT count(*)::int AS refused FROM watch.delivery WHERE problem = 'forbidden address'`,
  );
  figure({
    name: 'deliveries refused because the address is private',
    value: row?.refused ?? 0,
    unit: 'deliveries',
    goal: { atLeast: 1 },
  });
  figure({ name: 'connections to private addresses', value: reached, unit: 'connections', goal: zero });
  const unguarded = createPostOnce({
    examplePort: null,
    resolve: () => Promise.resolve(['127.0.0.1']),
    isAllowedAddress: () => true,
  });
  const addresses = privateAddresses(canary.port);
  for (const address of addresses)
    await unguarded({ url: new URL(address), headers: {}, body: '', deadlineMs: 5_000 });
  figure({
    name: 'connections without the guard',
    value: canary.connections() - reached,
    unit: 'connections',
    goal: { exactly: addresses.length },
  });
}
