import type { Suite, SuiteContext } from '@daybook/evidence';
import { createWorld } from '@daybook/newswire';

import { dayMs, hourMs, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { retryConcurrentChanges } from '../../../apps/server/src/foundation/database/concurrent-change.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { addMs, instantToMs, isoMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { readerLanguages } from '../../../apps/server/src/foundation/reader-language.ts';
import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import { rankStories } from '../../../apps/server/src/newsroom/rankings/rank-stories.ts';
import { aliasTable, builtInAliases } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import { shippedStoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import { rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { createTestClock } from '../../../apps/server/test/clock.ts';
import { publishAsItem } from '../../../apps/server/test/publish-item.ts';
import { playHistory } from '../../../apps/simulation/src/play-history.ts';
import type { Readers, Shown, Surface } from '../languages/language-surfaces.ts';
import { hotSurfaces, listSurfaces, readReasons, storySurfaces } from '../languages/language-surfaces.ts';
import type { LanguageTruth } from '../languages/language-truth.ts';
import { isMostly, readLanguageTruth } from '../languages/language-truth.ts';
import { connectors } from '../mcp/mcp-clients.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import type { ReplayedItem } from '../stories/replayed-items.ts';
import { readReplay } from '../stories/replayed-items.ts';

const simulated = 'simulated news';
const replayFile = 'replay/ai-news-34-days.jsonl';

export const suite: Suite = {
  name: 'languages',
  summary:
    'Readers of each language get the same stories in the same order with the same counts, in their language wherever a report in it exists.',
  headline: 'simulated news: texts in the wrong language',
  promise:
    'News of the simulated publishers (a month, with `--quick` four days) and of `replay/ai-news-34-days.jsonl` (with `--quick` the last 160 items, moved to end now) are published and ranked by the code of a worker. The suite knows every item of the record, groups their titles by language itself, and reads, as an English and as a Chinese reader, the Top 10 and the stories over the API, Markdown, feeds, MCP, the command line and pages, and lists and timelines of one language: a title or digest in the other language although a report in the reader’s exists, an entry that only one language has, another order, another number of independent sources, and a reason in the other language each count as a fault. No attacker takes part: the texts are those that publishers send, with names and quotations in the other script.',
  measuresNoTime: true,
  dataSets: [replayFile],
  run: async (context) => {
    await proveOver(context, simulated, (stage) => fillWithSimulation(context, stage));
    await proveOver(context, 'real news', (stage) => fillWithReplay(context, stage));
  },
};

async function proveOver(
  context: SuiteContext,
  name: string,
  fill: (stage: NewsStage) => Promise<void>,
): Promise<void> {
  const stage = await setNewsStage(context.root);
  try {
    await fill(stage);
    const port = await stage.startApi({ DAYBOOK_RATE_PER_MINUTE: '1000000' });
    const connect = connectors['client of 2026 over HTTP'];
    if (connect === undefined) throw new Error('no client');
    const mcp = await connect({ address: `http://127.0.0.1:${port}/mcp`, program: [] });
    try {
      await compareLanguages(context, name, stage, { port, mcp });
    } finally {
      await mcp.close();
    }
  } finally {
    await stage.remove();
  }
}

const itemsPerDay = 40;

async function fillWithSimulation({ quick }: SuiteContext, { database }: NewsStage): Promise<void> {
  const until = systemClock.now();
  const worldStartsAt = addMs(until, -(quick ? 4 : 32) * dayMs);
  // The first poll of a source also brings what it published before.
  const startsAt = addMs(worldStartsAt, quick ? 3 * dayMs - hourMs : dayMs);
  const world = createWorld({
    seed: 7,
    startsAt: instantToMs(worldStartsAt),
    days: quick ? 5 : 33,
    itemsPerDay,
  });
  await playHistory(database, { world, startsAt }, { until, language: 'en' });
}

/** The newest items selected, one for each reading group, and ranked. */
async function fillWithReplay(context: SuiteContext, stage: NewsStage): Promise<void> {
  const { items } = readReplay(context.data(replayFile));
  const shown = context.quick ? items.slice(-160) : items;
  const [first, last] = [shown[0], shown.at(-1)] as [ReplayedItem, ReplayedItem];
  const shiftMs = instantToMs(systemClock.now()) - instantToMs(last.discoveredAt) - 60_000;
  const moved = (at: EpochMicroseconds): EpochMicroseconds => addMs(at, shiftMs);
  const clock = createTestClock(isoMicroseconds(moved(first.discoveredAt)));
  const { database, factory } = stage;
  const deps = { clock, ids: factory.ids, aliases: aliasTable(builtInAliases()), model: shippedStoryModel() };
  for (const { id, source, title, url, publishedAt, discoveredAt } of shown) {
    clock.set(isoMicroseconds(moved(discoveredAt)));
    const item = {
      id,
      source: factory.source(source),
      title,
      originalTitle: null,
      summary: '',
      category: 'industry' as const,
      originalUrl: url,
      publishedAt: publishedAt === null ? null : moved(publishedAt),
      discoveredAt: moved(discoveredAt),
      score: null,
    };
    await retryConcurrentChanges(database, () =>
      database
        .transaction()
        .execute((transaction) =>
          factory.publisher.within(transaction, (decisions) =>
            publishAsItem(deps, transaction, decisions, item),
          ),
        ),
    );
  }
  await rollWindow(database, systemClock.now());
  const newest = shown.slice(-150);
  for (const { id: itemId } of newest)
    await factory.publisher.selectItem({ itemId, reason: 'First report, with concrete facts.' });
  const ranking = { clock: systemClock, publisher: factory.publisher };
  await database.transaction().execute((transaction) => rankStories(ranking, transaction));
}

interface Faults {
  texts: number;
  wrongTexts: number;
  orders: number;
  counts: number;
}

async function compareLanguages(
  context: SuiteContext,
  name: string,
  stage: NewsStage,
  readers: Readers,
): Promise<void> {
  const truth = await readLanguageTruth(stage);
  const stories = truth.storyIds.slice(0, context.quick ? 8 : 300);
  const surfaces = [
    ...hotSurfaces(readers),
    ...listSurfaces(readers),
    ...stories.flatMap((id, index) => storySurfaces(readers, id, index === 0)),
  ];
  const faults: Faults = { texts: 0, wrongTexts: 0, orders: 0, counts: 0 };
  const sources = new Map<string, number>();
  for (const surface of surfaces) await compareSurface(context, truth, surface, faults, sources);
  const reasons = await countReasons(readers);
  const report = (what: string, value: number, unit: string, goal?: { readonly exactly: 0 }): void =>
    context.figure({ name: `${name}: ${what}`, value, unit, ...(goal === undefined ? {} : { goal }) });
  const none = { exactly: 0 } as const;
  report('texts in the wrong language', faults.wrongTexts, 'texts', none);
  report('lists that differ between the languages', faults.orders, 'lists', none);
  report('numbers of sources that differ between surfaces', faults.counts, 'numbers', none);
  report('reasons in the wrong language', reasons.wrong, 'reasons', none);
  context.figure({ name: `${name}: texts`, value: faults.texts, unit: 'texts', goal: { atLeast: 100 } });
  report('reasons', reasons.all, 'reasons');
  const both = truth.storyIds.filter((id) =>
    readerLanguages.every((one) => truth.titlesOf(id, one).size > 0),
  );
  context.figure({
    name: `${name}: stories with reports in both languages`,
    value: both.length,
    unit: 'stories',
    // Real publishers of both languages rarely report one event within few days.
    ...(name === simulated ? { goal: { atLeast: 1 } } : {}),
  });
}

async function compareSurface(
  context: SuiteContext,
  truth: LanguageTruth,
  { name, isSameForAll, read }: Surface,
  faults: Faults,
  sources: Map<string, number>,
): Promise<void> {
  const orders = new Set<string>();
  for (const language of readerLanguages) {
    const shown = await read(language);
    orders.add(JSON.stringify(shown.map(({ key }) => key)));
    for (const one of shown) {
      faults.texts += 1;
      if (isWrong(truth, language, one)) {
        faults.wrongTexts += 1;
        context.note(`${name}, ${language}: ${one.key} ${one.title} ${one.digest ?? ''}`);
      }
      if (one.sources === undefined) continue;
      const known = sources.get(one.key) ?? one.sources;
      sources.set(one.key, known);
      if (known !== one.sources) {
        faults.counts += 1;
        context.note(`${name}, ${language}: ${one.key} has ${one.sources} sources, elsewhere ${known}`);
      }
    }
  }
  if (!isSameForAll || orders.size === 1) return;
  faults.orders += 1;
  context.note(`${name}: ${[...orders].join(' against ')}`);
}

/** Pages clip long titles. */
function isWrong(truth: LanguageTruth, language: ReaderLanguage, { key, title, digest }: Shown): boolean {
  const titles = [...truth.titlesOf(key, language)];
  if (titles.length === 0) return false;
  const start = title.replace(/…$/u, '');
  const isOwnTitle = start !== '' && titles.some((own) => own.startsWith(start));
  return !isOwnTitle || (typeof digest === 'string' && !isMostly(language, digest));
}

async function countReasons({ port }: Readers): Promise<{ readonly all: number; readonly wrong: number }> {
  const read = await Promise.all(
    readerLanguages.map(async (language) =>
      (await readReasons(port, language)).map((text) => isMostly(language, text)),
    ),
  );
  const reasons = read.flat();
  return { all: reasons.length, wrong: reasons.filter((isOwn) => !isOwn).length };
}
