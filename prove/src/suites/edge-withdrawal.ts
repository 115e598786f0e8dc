import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { isNginxInstalled } from '../http/nginx.ts';
import { isVarnishInstalled } from '../http/varnish.ts';
import type { EdgeStage } from '../news/edge-stage.ts';
import { setEdgeStage } from '../news/edge-stage.ts';
import { ask } from '../news/http-question.ts';
import type { Surface } from '../news/item-surfaces.ts';
import { placeEverywhere } from '../news/item-surfaces.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { fillRecord } from '../news/news-world.ts';
import { lastCheckBefore, runNewsroomCommand } from '../news/watch-withdrawal.ts';

const promisedMs = 3_000;
/** Of Varnish while no purge reaches it: the lifetime of a copy, and the second that the api has. */
const unpurgedMs = 11_000;
const encodings = ['identity', 'gzip', 'br'] as const;
const clientCount = 50;
/** Of one client, in the middle. */
const pauseMs = 150;

export const suite: Suite = {
  name: 'edge-withdrawal',
  // What it bounds follows from lifetimes and pauses of seconds, not from the speed of the machine.
  measuresNoTime: true,
  summary:
    'Withdrawn and corrected items disappear from nginx and Varnish, configured as shipped, within three seconds.',
  headline: 'withdrawn: last old response from nginx',
  promise:
    'Two api processes and a worker run behind nginx and behind Varnish, both with the configuration of deploy/. Fifty clients poll every public surface that shows an item, in every language and encoding, through both caches; some rounds use an item that only Chinese readers get. After `daybook newsroom withdraw` or `correct`, neither cache serves the old content for more than three seconds, even if both api processes are killed at that moment and start again. If no purge reaches Varnish, it takes at most eleven seconds. The number of requests from the caches to the api does not depend on the number of clients.',
  run: async (context) => {
    if (!isNginxInstalled()) return context.didNotRun('nginx is not installed (Debian package nginx)');
    if (!isVarnishInstalled()) return context.didNotRun('Varnish is not installed (Debian package varnish)');
    const stage = await setNewsStage(context.root);
    try {
      await fillRecord(stage.factory, 60);
      const edge = await setEdgeStage(context.root, stage);
      try {
        await measureOriginLoad(context, edge);
        for (const round of rounds(context.quick)) await proveRound(context, stage, edge, round);
        await proveDrained(context, stage);
      } finally {
        await edge.remove();
      }
    } finally {
      await stage.remove();
    }
  },
};

interface Round {
  readonly name: string;
  readonly number: number;
  readonly action: 'withdraw' | 'correct';
  readonly fault: 'none' | 'restart' | 'no-purges';
  /** Whether the item is the report of a story that only Chinese readers get. */
  readonly isChineseOnly?: true;
  /** How long the fault lasts. */
  readonly faultMs: number;
}

function rounds(quick: boolean): readonly Round[] {
  const kinds = [
    { name: 'withdrawn', action: 'withdraw', fault: 'none', faultMs: 0 },
    { name: 'corrected', action: 'correct', fault: 'none', faultMs: 0 },
    { name: 'withdrawn, both api processes killed', action: 'withdraw', fault: 'restart', faultMs: 4_000 },
    {
      name: 'withdrawn, no purge arrives',
      action: 'withdraw',
      fault: 'no-purges',
      faultMs: 60_000,
    },
  ] as const;
  const chinese = {
    name: 'withdrawn, shown to Chinese readers only',
    action: 'withdraw',
    fault: 'none',
    faultMs: 0,
    isChineseOnly: true,
  } as const;
  const repeated = quick
    ? [kinds[2], chinese]
    : [...kinds, chinese, ...kinds.slice(0, 3), chinese, ...kinds.slice(0, 3)];
  return repeated.map((kind, number) => ({ ...kind, number }));
}

/** One way to request one surface from one edge. */
interface View extends Surface {
  readonly edge: EdgeStage['edges'][number];
  readonly encoding: (typeof encodings)[number];
}

async function proveRound(
  context: SuiteContext,
  stage: NewsStage,
  edge: EdgeStage,
  round: Round,
): Promise<void> {
  const placed = await placeEverywhere(stage.factory, round.number, edge.apiPorts[0]);
  const { surfaces, itemId } =
    round.isChineseOnly === true
      ? { surfaces: placed.chineseSurfaces, itemId: placed.itemIds[2] }
      : { surfaces: placed.surfaces, itemId: placed.itemIds[0] };
  const shown = surfaces.filter(({ path }) => !isUnchanged(path, round.action));
  const views = edge.edges.flatMap((one) =>
    shown.flatMap((surface) =>
      (context.quick ? encodings.slice(1) : encodings).map((encoding) => ({
        ...surface,
        edge: one,
        encoding,
      })),
    ),
  );
  const cold = await warm(views);
  for (const view of cold.slice(0, 5)) context.note(`${round.name}: ${nameOf(view)} never showed the item`);
  const watch = startClients(views, round.number);
  await delay(1_500);
  if (round.fault === 'no-purges') edge.purgeRoute.open = false;
  const committedMs = await decide(context.root, stage, round, itemId);
  if (round.fault === 'restart') {
    await edge.killApis();
    await delay(round.faultMs);
    await edge.startApis();
  } else await delay(Math.max(round.faultMs, 5_000));
  edge.purgeRoute.open = true;
  await delay(1_000);
  const seen = await watch.stop();
  const left = (await Promise.all(views.map(isOld))).filter(Boolean).length;
  context.figure({
    name: `${round.name}: views without the item before, or with it afterwards`,
    value: cold.length + left,
    unit: 'views',
    goal: { exactly: 0 },
  });
  for (const name of ['nginx', 'varnish'] as const)
    reportLast(context, round, name, seen.get(name) ?? [], committedMs);
}

/** The sitemap shows the second item, which stays. Pictures of a story and an edition show no title of an item. */
function isUnchanged(path: string, action: Round['action']): boolean {
  return path === '/sitemap.xml' || (action === 'correct' && /^\/og\/(?:story|daily)\//.test(path));
}

function reportLast(
  context: SuiteContext,
  round: Round,
  name: 'nginx' | 'varnish',
  old: readonly OldAnswer[],
  committedMs: number,
): void {
  const boundMs = round.fault === 'no-purges' && name === 'varnish' ? unpurgedMs : promisedMs;
  const late = old.filter(({ atMs }) => atMs - committedMs > boundMs);
  for (const { view, atMs } of late.slice(0, 3))
    context.note(`${round.name}: ${nameOf(view)} ${Math.round(atMs - committedMs)} ms after`);
  const last = Math.max(0, ...old.map(({ atMs }) => atMs - committedMs));
  context.figure({
    name: `${round.name}: last old response from ${name}`,
    value: Math.round(last),
    unit: 'ms after the commit',
    goal: { atMost: boundMs },
  });
}

function nameOf({ edge, path, encoding }: View): string {
  return `${edge.name} ${path} ${encoding}`;
}

/** Requests every view until it shows the item, twice: the second time from the cache of the edge. */
async function warm(views: readonly View[]): Promise<readonly View[]> {
  const isWarm = async (view: View): Promise<boolean> => {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      if (await isOld(view)) return isOld(view);
      await delay(300);
    }
    return false;
  };
  const found = await Promise.all(views.map(isWarm));
  return views.filter((_, at) => found[at] === false);
}

async function isOld({ edge, path, encoding, shows }: View): Promise<boolean> {
  const answer = await ask(edge.port, { path, headers: { 'accept-encoding': encoding } }).catch(() => null);
  return answer !== null && shows(answer);
}

/** By the shipped command; when it was committed, or shortly before. */
async function decide(
  root: string,
  { record, urls }: NewsStage,
  { action, number }: Round,
  itemId: Id<'item'>,
): Promise<number> {
  const reason = `The publisher said so, case ${number}.`;
  const committed = lastCheckBefore(async () => {
    const [newest] = await record.corrections({ after: null, rowsMax: 1, withStories: true });
    return newest?.reason.startsWith(reason) === true;
  });
  const words =
    action === 'withdraw'
      ? ['withdraw', itemId]
      : ['correct', 'item', itemId, '--title', 'A corrected title', '--unverified', 'It has no article.'];
  const done = runNewsroomCommand(root, urls, [...words, '--reason', reason]);
  const committedMs = await committed;
  // A restart begins while the command still ends.
  done.catch(() => {});
  return committedMs;
}

interface OldAnswer {
  readonly view: View;
  readonly atMs: number;
}

/** Each client requests one view after the other, in its own order, and notes when it had the old one in full. */
function startClients(
  views: readonly View[],
  seed: number,
): { readonly stop: () => Promise<ReadonlyMap<string, readonly OldAnswer[]>> } {
  const old = new Map<string, OldAnswer[]>();
  const stopped = new AbortController();
  const client = async (number: number): Promise<void> => {
    const random = seededRandom(seed * 1_000 + number);
    while (!stopped.signal.aborted) {
      const view = views[Math.floor(random() * views.length)] as View;
      if (await isOld(view))
        old.set(view.edge.name, [...(old.get(view.edge.name) ?? []), { view, atMs: systemClock.nowMs() }]);
      await delay(pauseMs * (0.5 + random()));
    }
  };
  const clients = Array.from({ length: clientCount }, (_, number) => client(number));
  return {
    stop: async () => {
      stopped.abort();
      await Promise.all(clients);
      return old;
    },
  };
}

/** Every purge has arrived, also those of the time in which none could. */
async function proveDrained(context: SuiteContext, { database }: NewsStage): Promise<void> {
  let waiting = -1;
  for (let attempt = 0; attempt < 100 && waiting !== 0; attempt += 1) {
    const rows = await database.selectFrom('record.edge_purge').select('id').execute();
    waiting = rows.length;
    if (waiting !== 0) await delay(250);
  }
  context.figure({ name: 'purges that never arrived', value: waiting, unit: 'purges', goal: { exactly: 0 } });
}

/** The most visited pages. */
const hotPaths = ['/', '/hot', '/timeline', '/zh', '/api/v1/items', '/api/v1/hot-topics', '/agent/latest.md'];
/** A hundred times the polling rate that the API recommends. */
const pollEveryMs = 600;

async function measureOriginLoad(context: SuiteContext, edge: EdgeStage): Promise<void> {
  const runMs = context.quick ? 3_000 : 30_000;
  // Varnish revalidates every ten seconds, which a quick run does not reach.
  for (const { name, port } of context.quick ? edge.edges.slice(0, 1) : edge.edges) {
    for (const clients of context.quick ? [clientCount] : [10, clientCount, 4 * clientCount])
      context.figure({
        name: `${name}: requests to the api for ${hotPaths.length} addresses that ${clients} clients poll`,
        value: await originRequestsAMinute(edge, port, clients, runMs),
        unit: 'a minute',
        // One a second for each, and a fifth for those that arrive while it is under way. Three seconds after the start
        // of the api, which is then slow, say nothing about a minute.
        ...(context.quick ? {} : { goal: { atMost: hotPaths.length * 60 * 1.2 } }),
      });
  }
}

async function originRequestsAMinute(
  edge: EdgeStage,
  port: number,
  clients: number,
  runMs: number,
): Promise<number> {
  await Promise.all(hotPaths.map((path) => ask(port, { path })));
  const before = await countOriginRequests(edge);
  const startedMs = performance.now();
  const random = seededRandom(clients);
  const client = async (number: number): Promise<void> => {
    for (let turn = number; performance.now() - startedMs < runMs; turn += 1) {
      await delay(pollEveryMs * (0.5 + random()));
      await ask(port, { path: hotPaths[turn % hotPaths.length] as string });
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const tookMs = performance.now() - startedMs;
  return Math.round((((await countOriginRequests(edge)) - before) / tookMs) * 60_000);
}

/** News and pages only: probes and metrics are requested as well. One in 16 cached answers is counted twice. */
async function countOriginRequests({ apiPorts }: EdgeStage): Promise<number> {
  let sum = 0;
  for (const port of apiPorts) {
    const { text } = await ask(port, { path: '/metrics' });
    for (const line of text.split('\n')) {
      const [, labels = '', value = ''] =
        /^daybook_http_(?:request_duration_seconds_count|cached_responses_total)\{(.*)\} (\d+)$/.exec(line) ??
        [];
      if (value !== '' && !/route="\/(?:readyz|livez|metrics)"/.test(labels)) sum += Number(value);
    }
  }
  return sum;
}
