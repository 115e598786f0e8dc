import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { followMirror } from '../mirror/mirror-client.ts';
import type { ClientReport } from '../mirror/mirror-client.ts';
import { httpMirrorSource } from '../mirror/mirror-source.ts';
import { readSelectedSet } from '../mirror/selected-set.ts';
import { ask } from '../news/http-question.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { fillRecord } from '../news/news-world.ts';
import type { StreamingReplica } from '../replica/streaming-replica.ts';
import { primarySettings, startReplica } from '../replica/streaming-replica.ts';

/** Within this time a withdrawn item disappears from every response, with a replica or without one. */
const withdrawnWithinMs = 1_000;
const answerWithinMs = 2_000;
const undecidedMs = 1_500;
const plans = { full: { rounds: 5, watchMs: 5_000 }, quick: { rounds: 1, watchMs: 2_000 } } as const;

export const suite: Suite = {
  name: 'replica',
  nightly: true,
  summary:
    'With news read from a replica that lags, freezes or ends, no withdrawn item is served, no request fails, and mirrors stay exact.',
  headline: 'responses with a withdrawn item',
  promise:
    'A PostgreSQL standby streams from the primary, and an api process reads lists and items from it (`DATABASE_REPLICA_URL`). An api process whose `DATABASE_READER_URL` leads to the standby shows the attack: it serves withdrawn items while the standby lags. Then items are withdrawn while the standby is current, while it does not replay, while all its processes are frozen, after it was killed, and after it returned. From one second after the withdrawal on, no response of the first process contains the item: neither the item itself, nor lists, nor searches that no cache has. No request fails or takes longer than 2 s, and a mirror that follows the process ends equal to the primary. The standby serves reads again after it returned.',
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'prove-replica-'));
    await chmod(folder, 0o755);
    const primaryFolder = join(folder, 'primary');
    const stage = await setNewsStage(context.root, { folder: primaryFolder, settings: primarySettings });
    try {
      await fillRecord(stage.factory, 60);
      const replica = await startReplica(stage.superuserUrl, primaryFolder, join(folder, 'replica'));
      try {
        await prove(context, stage, replica);
      } finally {
        await replica.remove();
      }
    } finally {
      await stage.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Disturbance {
  readonly name: string;
  readonly begin: (replica: StreamingReplica) => Promise<void>;
  readonly end: (replica: StreamingReplica) => Promise<void>;
}

const nothing = async (): Promise<void> => {};
const disturbances: readonly Disturbance[] = [
  { name: 'current', begin: nothing, end: nothing },
  { name: 'behind', begin: (replica) => replica.pauseReplay(), end: (replica) => replica.resumeReplay() },
  { name: 'frozen', begin: (replica) => replica.freeze(), end: (replica) => replica.thaw() },
  { name: 'dead', begin: (replica) => replica.crash(), end: (replica) => replica.start() },
  { name: 'back', begin: nothing, end: nothing },
];

async function prove(context: SuiteContext, stage: NewsStage, replica: StreamingReplica): Promise<void> {
  const plan = context.quick ? plans.quick : plans.full;
  const leading = (url: string): string => {
    const other = new URL(url);
    other.port = String(replica.port);
    return other.href;
  };
  const settings = { DAYBOOK_RATE_PER_MINUTE: '1000000' };
  const replicaUrl = leading(stage.urls.newsReader);
  const port = await stage.startApi({ ...settings, DATABASE_REPLICA_URL: replicaUrl });
  const unguarded = await stage.startApi({ ...settings, DATABASE_READER_URL: replicaUrl });
  await untilCurrent(port);
  await proveAttack(context, stage, replica, unguarded);
  await untilCurrent(port);
  const requests = startRequests(port);
  let isFinal = false;
  let finalHash = '';
  const mirror = followMirror({
    source: httpMirrorSource(`http://127.0.0.1:${port}`),
    random: Math.random,
    isFinal: ({ hash }) => isFinal && hash === finalHash,
    givesUp: () => false,
  });
  let returnedMs = 0;
  for (let round = 0; round < plan.rounds; round += 1)
    for (const disturbance of disturbances) {
      requests.enter(disturbance.name);
      requests.leaks.push(
        ...(await watchWithdrawal(stage, port, plan.watchMs, async () => {
          await untilCurrent(port);
          await disturbance.begin(replica);
          // Requests meet the disturbance before a decision ends the use of the replica.
          await delay(undecidedMs);
        })),
      );
      await disturbance.end(replica);
      const from = performance.now();
      await untilCurrent(port);
      returnedMs = Math.max(returnedMs, performance.now() - from);
    }
  await requests.stop();
  const served = await countReplicaReads(replica, port);
  finalHash = (await readSelectedSet(stage.database)).hash;
  isFinal = true;
  report(context, { requests, mirror: await mirror, returnedMs, served });
}

/** What happens without the comparison: the figure shows that the suite can see it. */
async function proveAttack(
  { figure }: SuiteContext,
  stage: NewsStage,
  replica: StreamingReplica,
  port: number,
): Promise<void> {
  const leaks = await watchWithdrawal(stage, port, 2_000, () => replica.pauseReplay());
  await replica.resumeReplay();
  figure({
    name: 'unguarded standby: responses with a withdrawn item',
    value: leaks.length,
    unit: 'responses',
    goal: { atLeast: 1 },
  });
}

/** Publishes an item, withdraws it once `disturb` has ended, and requests it everywhere. Returns where it still was. */
async function watchWithdrawal(
  { factory }: NewsStage,
  port: number,
  watchMs: number,
  disturb: () => Promise<void>,
): Promise<readonly string[]> {
  const [word, mark] = ['searched', 'marked'].map((name) => `${name}${Math.random().toString(36).slice(2)}`);
  const itemId: Id<'item'> = await factory.publishSelected({ title: `Notice ${word} of laboratory ${mark}` });
  const pathOf = (turn: number): readonly string[] => [
    `/api/v1/items/${itemId}`,
    `/items/${itemId}`,
    `/api/v1/items?limit=${1 + (turn % 100)}`,
    `/api/v1/items?q=${word}&limit=${1 + (turn % 100)}`,
  ];
  const isThere = async (path: string): Promise<boolean> =>
    (await ask(port, { path })).text.includes(String(mark));
  for (let turn = 0; !(await isThere(`/api/v1/items/${itemId}`)); turn += 1) {
    if (turn > 500) throw new Error('a published item did not appear');
    await delay(20);
  }
  await disturb();
  valueOf(await factory.publisher.withdrawItem({ itemId }));
  await delay(withdrawnWithinMs);
  const leaks: string[] = [];
  const endMs = performance.now() + watchMs;
  for (let turn = 0; performance.now() < endMs; turn += 1)
    for (const path of pathOf(turn)) if (await isThere(path)) leaks.push(path);
  return leaks;
}

interface Requests {
  readonly leaks: string[];
  readonly failed: readonly string[];
  readonly slowestMs: ReadonlyMap<string, number>;
  readonly count: () => number;
  readonly enter: (phase: string) => void;
  readonly stop: () => Promise<void>;
}

/** Addresses that no cache has, one after the other. */
function startRequests(port: number): Requests {
  const stopping = new AbortController();
  let [phase, count] = ['', 0];
  const failed: string[] = [];
  const slowestMs = new Map<string, number>();
  const client = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const path = `/api/v1/items?q=word${(count += 1)}`;
      const from = performance.now();
      const status = await ask(port, { path }).then(
        (answer) => answer.status,
        (error: unknown) => String(error),
      );
      if (status !== 200) failed.push(`${phase}: ${path}: ${status}`);
      slowestMs.set(phase, Math.max(slowestMs.get(phase) ?? 0, performance.now() - from));
      await delay(20);
    }
  };
  const clients = [client(), client()];
  return {
    leaks: [],
    failed,
    slowestMs,
    count: () => count,
    enter: (name) => {
      phase = name;
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(clients);
    },
  };
}

async function untilCurrent(port: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { text } = await ask(port, { path: '/metrics' });
    if (/^daybook_news_replica_current 1$/m.test(text)) return;
    if (performance.now() > deadline) throw new Error('the replica did not become current');
    await delay(20);
  }
}

/** Of a hundred searches, how many transactions the standby ran. */
async function countReplicaReads(replica: StreamingReplica, port: number): Promise<number> {
  const before = await replica.countTransactions();
  for (let turn = 0; turn < 100; turn += 1) await ask(port, { path: `/api/v1/items?q=served${turn}` });
  return (await replica.countTransactions()) - before;
}

function report(
  { figure, note }: SuiteContext,
  of: {
    readonly requests: Requests;
    readonly mirror: ClientReport;
    readonly returnedMs: number;
    readonly served: number;
  },
): void {
  const { requests, mirror } = of;
  const none = (name: string, value: number, unit: string): void =>
    figure({ name, value, unit, goal: { exactly: 0 } });
  for (const text of [...requests.leaks.slice(0, 5), ...requests.failed.slice(0, 5)]) note(text);
  none('responses with a withdrawn item', requests.leaks.length, 'responses');
  figure({ name: 'requests', value: requests.count(), unit: 'requests', goal: { atLeast: 100 } });
  none('requests that failed', requests.failed.length, 'requests');
  for (const { name } of disturbances)
    figure({
      name: `slowest request, standby ${name}`,
      value: requests.slowestMs.get(name) ?? 0,
      unit: 'ms',
      goal: { atMost: answerWithinMs },
    });
  figure({ name: 'until the standby serves again, at most', value: of.returnedMs / 1_000, unit: 's' });
  figure({
    name: 'transactions of the standby for 100 searches',
    value: of.served,
    unit: 'transactions',
    goal: { atLeast: 90 },
  });
  none('digests of the set that differ in the mirror', mirror.disagreements, 'digests');
  figure({
    name: 'digests that the mirror compared',
    value: mirror.checks,
    unit: 'digests',
    goal: { atLeast: 5 },
  });
}
