import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { median, seededRandom } from '@daybook/evidence';

import { addMs } from '../../../apps/server/src/foundation/instant.ts';
import type { ChaosInstallation } from '../chaos/installation.ts';
import { startChaosInstallation } from '../chaos/installation.ts';
import { judgeChaos } from '../chaos/judge.ts';
import type { Members } from '../chaos/members.ts';
import { startMembers } from '../chaos/members.ts';
import type { CachedReaders, CachedReading } from '../chaos/readers.ts';
import { startCachedReaders, warmCaches } from '../chaos/readers.ts';
import type { ChaosRound } from '../chaos/rounds.ts';
import { causeChaos, FaultTimes } from '../chaos/rounds.ts';
import { isNginxInstalled } from '../http/nginx.ts';
import { MirrorCopy } from '../mirror/mirror-copy.ts';
import { httpMirrorSource } from '../mirror/mirror-source.ts';
import { isPgbouncerInstalled } from '../pooler/pgbouncer.ts';

const fullMinutes = 60;
const quickMinutes = 0.4;
/** An hour is half a day: reports fall due, and the tasks of hours run. Faster, idle workers would fill a small machine. */
const speed = 12;
/** A Monday that is the first of a month, in Shanghai: a daily at 08:00, a weekly at 10:00, a monthly at 10:30. */
const startsAt = { full: Date.UTC(2026, 5, 1, -1, 35), quick: Date.UTC(2026, 5, 1, -1, 45) };
const faultMs = { full: { from: 1_000, to: 15_000 }, quick: { from: 500, to: 2_000 } };
/** nginx serves a withdrawn item for at most three seconds. */
const withdrawnWithinMs = 3_000;
const settleMs = { from: 10_000, to: 90_000 };
/** nginx ends connections of a worker process that is killed. */
const edgeAfterMs = 1_000;

export const suite: Suite = {
  name: 'chaos',
  nightly: true,
  summary:
    'Random faults of every part, one and two at a time, lose no accepted write, publish and mail nothing twice, and leave cached pages available.',
  headline: 'cached resources answered',
  promise:
    'The question: does an installation keep its promises when anything in it fails at any moment? Three api processes, three workers, nginx, PgBouncer, PostgreSQL and Ceph’s S3 gateway run for 60 minutes (`--minutes` sets another time; 24 s with `--quick`) with a calendar that is 12 times as fast. Publishers publish an article every two seconds; members upload files, create folders and API keys and revoke them, one fills a small quota, an editor selects and withdraws items, readers subscribe to reports, and a mirror follows. A printed seed chooses the faults: processes are killed with `kill -9` or frozen, their clocks are moved by up to five minutes (an hour of the calendar), connections to the database and to S3 are cut, slowed or hang, PgBouncer, PostgreSQL, the gateway and nginx’s workers are killed or frozen, and the disks of PostgreSQL and of the workers’ record of the log fill up. Every third round has two faults at once; every kind occurs before any repeats. After each round the suite waits until a list, a folder, an upload and a new article succeed, which is the recovery time; the same without a fault is shown beside it, because articles are published every two seconds and polled every three. `PROVE_CHAOS_SEED` repeats the faults of a seed, `PROVE_CHAOS_KIND` chooses faults by a part of their name. At the end everything that was answered with success is there once, and every other guarantee holds. Readers request cached resources all the time: each gets 200, except over connections that a killed worker of nginx ended. Resources that a withdrawal purged and that were not answered since are counted apart too: without the database no copy of them may be served. A withdrawn item may be served for three seconds, and by processes without a database until it returns.',
  run: async (context) => {
    if (!isNginxInstalled()) return context.didNotRun('nginx is not installed (Debian package nginx)');
    if (!isPgbouncerInstalled())
      return context.didNotRun('pgbouncer is not installed (Debian package pgbouncer)');
    const folder = await mkdtemp(join(tmpdir(), 'prove-chaos-'));
    await chmod(folder, 0o755);
    const calendarStartsAtMs = context.quick ? startsAt.quick : startsAt.full;
    try {
      const installation = await startChaosInstallation({
        root: context.root,
        folder,
        calendarStartsAtMs,
        speed,
      });
      try {
        await prove(context, installation);
      } finally {
        await installation.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function prove(context: SuiteContext, installation: ChaosInstallation): Promise<void> {
  const { figure, note } = context;
  const seed = Number(process.env['PROVE_CHAOS_SEED'] ?? randomInt(1_000_000));
  note(`seed ${seed}; PROVE_CHAOS_SEED=${seed} draws the same faults`);
  if (installation.disks === null) note('this machine cannot mount a tmpfs: no disk is filled');
  const forMs = (context.minutes ?? (context.quick ? quickMinutes : fullMinutes)) * 60_000;
  const times = new FaultTimes();
  await warmCaches(installation.edgePort);
  const from = installation.clock.now();
  const members = await startMembers(installation, seededRandom(seed + 1));
  const watch = watchReadings(installation, members, times);
  const mirror = followMirror(installation);
  const rounds = await causeChaos(installation, members, times, {
    random: seededRandom(seed),
    endsAtMs: performance.now() + forMs,
    isChosen: ({ kind }) => kind.includes(process.env['PROVE_CHAOS_KIND'] ?? ''),
    faultMs: context.quick ? faultMs.quick : faultMs.full,
    onRound: ({ kinds, recoveredMs, last }) =>
      note(
        `${kinds.join(' and ')}: recovered in ${(recoveredMs / 1_000).toFixed(1)} s, last ${last || 'nothing'}`,
      ),
  });
  await members.stop();
  await watch.readers.stop();
  const unpublished = await installation.finishWire(members.withdrawalsSent);
  await settle(installation);
  const copy = await mirror.stop();
  const calendar = { from, to: addMs(installation.clock.now(), -speed * 20_000) };
  reportRounds(context, rounds);
  reportReadings(context, watch);
  figure({ name: 'requests of members', value: members.sent(), unit: 'requests' });
  const { accepted } = members;
  for (const [name, value] of Object.entries({
    'uploads answered': accepted.files.size,
    'folders answered': accepted.folders.length,
    'account changes answered': accepted.keys.size,
    'decisions of editors answered': accepted.decisions.length,
    'mails received': installation.mails.length,
    'articles published': installation.wire.urls.length,
  }))
    figure({ name, value, unit: name.split(' ')[0] ?? '', goal: { atLeast: 1 } });
  for (const [text, count] of [...members.refused].toSorted((one, other) => other[1] - one[1]).slice(0, 12))
    note(`${count} × ${text}`);
  for (const url of unpublished.slice(0, 3)) note(`not published: ${url}`);
  const offenders = await judgeChaos({ installation, members, mirror: copy, calendar });
  for (const [name, found] of Object.entries(offenders)) {
    for (const text of found.slice(0, 3)) note(`${name}: ${text}`);
    figure({ name, value: found.length, unit: name.split(' ')[0] ?? '', goal: { exactly: 0 } });
  }
}

interface ReadingWatch {
  readonly readers: CachedReaders;
  readonly count: () => number;
  readonly unavailable: readonly CachedReading[];
  /** Of the unavailable, 503 for resources that a withdrawal purged and that were not answered since: no cache has a copy that may be served. */
  readonly purged: () => number;
  /** Of the unavailable, those during a fault of the database or shortly after it. */
  readonly withoutDatabase: () => number;
  readonly cutByEdge: () => number;
  readonly late: readonly string[];
  readonly slowestMs: () => number;
}

/** Judges each response when it arrives. */
function watchReadings(
  { edgePort }: ChaosInstallation,
  { accepted }: Members,
  times: FaultTimes,
): ReadingWatch {
  let [count, cutByEdge, slowestMs, withoutDatabase, purged] = [0, 0, 0, 0, 0];
  const answeredAtMs = new Map<string, number>();
  const isPurged = (path: string): boolean =>
    accepted.decisions.some(
      ({ action, atMs }) => action === 'withdraw' && atMs > (answeredAtMs.get(path) ?? 0),
    );
  const [unavailable, late]: [CachedReading[], string[]] = [[], []];
  const onReading = (reading: CachedReading): void => {
    const { startedAtMs, endedAtMs, status, items, path } = reading;
    count += 1;
    slowestMs = Math.max(slowestMs, endedAtMs - startedAtMs);
    const during = [startedAtMs, endedAtMs] as const;
    if (status === 200) {
      answeredAtMs.set(path, Math.max(startedAtMs, answeredAtMs.get(path) ?? 0));
    } else {
      if (status === 503 && isPurged(path)) purged += 1;
      if (status === null && times.touches('edge', during, edgeAfterMs)) cutByEdge += 1;
      else unavailable.push(reading);
      if (status !== null && times.touches('database', during, withdrawnWithinMs)) withoutDatabase += 1;
    }
    // While the database is away, a process serves what it has.
    if (times.touches('database', during, withdrawnWithinMs)) return;
    for (const { itemId, action, atMs } of accepted.decisions)
      if (action === 'withdraw' && startedAtMs > atMs + withdrawnWithinMs && items.has(itemId))
        late.push(
          `${path} has ${itemId} ${((startedAtMs - atMs) / 1_000).toFixed(1)} s after its withdrawal`,
        );
  };
  return {
    readers: startCachedReaders(edgePort, onReading),
    unavailable,
    late,
    count: () => count,
    cutByEdge: () => cutByEdge,
    purged: () => purged,
    withoutDatabase: () => withoutDatabase,
    slowestMs: () => slowestMs,
  };
}

/** A copy that reads whenever it can. */
function followMirror({ edgePort }: ChaosInstallation): { readonly stop: () => Promise<MirrorCopy> } {
  const source = httpMirrorSource(`http://127.0.0.1:${edgePort}`);
  const copy = new MirrorCopy();
  const stopping = new AbortController();
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await copy.readPage(source, () => 0.5).catch(() => null);
      await delay(250);
    }
  };
  const following = follow();
  return {
    stop: async () => {
      stopping.abort();
      await following;
      return copy;
    },
  };
}

/** Until no mail waits, and the changes of the last faults have their places in the log. */
async function settle({ superuser }: ChaosInstallation): Promise<void> {
  const fromMs = performance.now();
  for (;;) {
    const { rows } = await superuser.pool.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM mailing.delivery WHERE state IN ('waiting', 'sending')`,
    );
    const lastedMs = performance.now() - fromMs;
    if ((rows[0]?.open === 0 && lastedMs > settleMs.from) || lastedMs > settleMs.to) return;
    await delay(250);
  }
}

function reportRounds({ figure }: SuiteContext, rounds: readonly ChaosRound[]): void {
  const byKind = Map.groupBy(rounds, ({ kinds }) => (kinds.length > 1 ? 'two at once' : (kinds[0] ?? '')));
  figure({ name: 'rounds of faults', value: rounds.length, unit: 'rounds', goal: { atLeast: 1 } });
  figure({
    name: 'of these not recovered within two minutes',
    value: rounds.filter(({ recoveredMs }) => recoveredMs === Infinity).length,
    unit: 'rounds',
    goal: { exactly: 0 },
  });
  for (const [kind, list] of [...byKind].toSorted(([one], [other]) => one.localeCompare(other))) {
    const seconds = list.map(({ recoveredMs }) => recoveredMs / 1_000);
    figure({ name: `recovery, ${kind}, median of ${list.length}`, value: median(seconds), unit: 's' });
    figure({ name: `recovery, ${kind}, largest`, value: Math.max(...seconds), unit: 's' });
  }
}

function reportReadings({ figure, note }: SuiteContext, watch: ReadingWatch): void {
  for (const { path, status, fault, startedAtMs, endedAtMs } of watch.unavailable.slice(0, 5))
    note(
      `${path}: ${status ?? ''} ${fault.slice(0, 120)} after ${((endedAtMs - startedAtMs) / 1_000).toFixed(1)} s`,
    );
  for (const text of watch.late.slice(0, 5)) note(text);
  const available = (1 - watch.unavailable.length / watch.count()) * 100;
  figure({
    name: 'requests for cached resources',
    value: watch.count(),
    unit: 'requests',
    goal: { atLeast: 100 },
  });
  figure({ name: 'cached resources answered', value: available, unit: '%', goal: { exactly: 100 } });
  figure({
    name: 'of these not 200',
    value: watch.unavailable.length,
    unit: 'requests',
    goal: { exactly: 0 },
  });
  figure({ name: 'of these without a database', value: watch.withoutDatabase(), unit: 'requests' });
  figure({
    name: 'of these 503 for resources that a withdrawal purged',
    value: watch.purged(),
    unit: 'requests',
  });
  figure({ name: 'cut with a killed worker of nginx', value: watch.cutByEdge(), unit: 'requests' });
  figure({ name: 'slowest response', value: watch.slowestMs() / 1_000, unit: 's' });
  figure({
    name: 'responses with a withdrawn item later than its bound',
    value: watch.late.length,
    unit: 'responses',
    goal: { exactly: 0 },
  });
}
