import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import type { CorrectedYear } from '../editions/corrected-year.ts';
import { passCorrectedYear } from '../editions/corrected-year.ts';
import { requestOnce } from '../news/http-question.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { countBrokenPromises } from '../news/record-promises.ts';
import { lastCheckBefore, untilRight, withdrawByCommand } from '../news/watch-withdrawal.ts';

const promisedMs = 1_000;

export const suite: Suite = {
  name: 'corrections',
  summary:
    'A withdrawal revises every report that cites the item within a second, publishes a correction, and leaves no text of the item behind.',
  headline: 'longest time from the commit',
  promise:
    'The shipped command withdraws an item that a daily, its weekly and its monthly cite. Within one second all three have a new revision with a new ETag, as JSON, as Markdown and as pages; no text that depends on the item remains, and the correction is published with its reason in the API, the feed and on the page. The same holds for an item that only readers of one language get. In a year of reports, four random withdrawals and corrections at a time run while reports are published: no report cites a withdrawn item or contains text written from one, and each withdrawal has exactly one correction.',
  run: async (context) => {
    const stage = await setNewsStage(context.root);
    try {
      await proveOneByOne(context, stage);
      await proveYear(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

async function proveOneByOne(context: SuiteContext, stage: NewsStage): Promise<void> {
  const quiet = { DAYBOOK_RATE_PER_MINUTE: '1000000' };
  const port = await stage.startApi(quiet);
  const rounds = context.quick ? 2 : 20;
  const counts = { wrong: 0, slowestMs: 0, surfaces: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const cite = round % 2 === 0 ? citeEverywhere : citeInChinese;
    const { itemId, marker, reports } = await cite(stage, Math.floor(round / 2));
    const before = await Promise.all(reports.map((path) => requestOnce(port, path)));
    counts.wrong += before.filter(({ text }) => !text.includes(marker)).length;
    const reason = `The publisher retracted it, case ${round}.`;
    const places = [
      ...reports.map((path, at) => async () => {
        const { text, headers } = await requestOnce(port, path);
        return !text.includes(marker) && headers.etag !== before[at]?.headers.etag;
      }),
      ...['/api/v1/corrections', '/feeds/corrections.atom', '/corrections', '/zh/corrections'].map(
        (path) => async () => (await requestOnce(port, path)).text.includes(reason),
      ),
    ];
    const looks = places.map((isRight) => untilRight(isRight));
    const committed = lastCheckBefore(() => isPublished(stage, reason));
    const said = await withdrawByCommand(context.root, stage.urls, itemId, reason);
    if (!said.includes('new revision: monthly')) throw new Error(`the command said: ${said}`);
    const committedMs = await committed;
    const late = (await Promise.all(looks)).map((rightMs) => rightMs - committedMs);
    counts.surfaces += places.length;
    counts.wrong += late.filter((ms) => ms > promisedMs).length;
    counts.wrong += await wrongRevisions(port, reports, reason);
    counts.slowestMs = Math.max(counts.slowestMs, ...late);
  }
  context.figure({ name: 'items withdrawn by the command', value: rounds, unit: 'items' });
  context.figure({ name: 'surfaces watched', value: counts.surfaces, unit: 'surfaces' });
  context.figure({
    name: 'surfaces or revisions that are wrong after one second',
    value: counts.wrong,
    unit: 'surfaces',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'longest time from the commit until all are correct',
    value: Math.round(counts.slowestMs),
    unit: 'ms',
  });
}

/** An item that headline and overview of three editions cite, with a word that occurs nowhere else. */
async function citeEverywhere(
  { factory }: NewsStage,
  round: number,
): Promise<{ readonly itemId: Id<'item'>; readonly marker: string; readonly reports: readonly string[] }> {
  const marker = `quokka${round}`;
  const itemId = await factory.publishSelected({ title: `The ${marker} affair` });
  const other = await factory.publishSelected();
  const keys = keysOf(2025, round);
  for (const { kind, period } of keys) {
    const contents = {
      headline: `The ${marker} affair`,
      overview: `All of it is about ${marker}.`,
      headlineCites: [itemId],
      overviewCites: [itemId, other],
      sections: [{ key: 'models', label: 'Models', itemIds: [other, itemId] }],
      flashes: [],
    };
    valueOf(await factory.publisher.issueEdition({ kind, period, contents }));
  }
  const reports = keys.flatMap(({ kind, plural, period }) => [
    `/api/v1/${plural}/${period}`,
    `/agent/${kind}/${period}.md`,
    `/${kind}/${period}`,
    `/zh/${kind}/${period}`,
  ]);
  return { itemId, marker, reports };
}

function keysOf(year: number, round: number) {
  const number = String(round + 1).padStart(2, '0');
  return [
    { kind: 'daily', plural: 'dailies', period: `${year}-01-${number}` },
    { kind: 'weekly', plural: 'weeklies', period: `${year}-W${number}` },
    { kind: 'monthly', plural: 'monthlies', period: `${year}-${number}` },
  ] as const;
}

/** An item that only Chinese readers get, in the place of an English entry of three editions. */
async function citeInChinese({ factory }: NewsStage, round: number): ReturnType<typeof citeEverywhere> {
  const marker = `袋鼠${round}号`;
  const itemId = await factory.publish({ title: `${marker}事件`, language: 'zh' });
  const entryId = await factory.publishSelected({ title: 'An English entry', language: 'en' });
  const cited = { headlineCites: [entryId], overviewCites: [entryId] };
  const inChinese = { headlineCites: [itemId], overviewCites: [itemId] };
  const keys = keysOf(2024, round);
  for (const { kind, period } of keys) {
    const contents = {
      headline: 'An English entry',
      overview: 'It is in English.',
      language: 'en',
      ...cited,
      sections: [{ key: 'ai-models', label: 'Models', itemIds: [entryId] }],
      flashes: [],
      versions: [{ language: 'zh', headline: `${marker}事件`, overview: `关于${marker}。`, ...inChinese }],
      reports: [{ language: 'zh', entryId, itemId }],
    } as const;
    valueOf(await factory.publisher.issueEdition({ kind, period, contents }));
  }
  const reports = keys.flatMap(({ kind, plural, period }) => [
    `/api/v1/${plural}/${period}?language=zh`,
    `/agent/${kind}/${period}.md?language=zh`,
    `/zh/${kind}/${period}`,
  ]);
  return { itemId, marker, reports };
}

async function isPublished({ record }: NewsStage, reason: string): Promise<boolean> {
  const [newest] = await record.corrections({ after: null, rowsMax: 1, withStories: true });
  return newest?.reason === reason;
}

/** Each of the three is at its second revision, with a note that gives the reason. */
async function wrongRevisions(port: number, reports: readonly string[], reason: string): Promise<number> {
  const bodies = reports.filter((path) => path.startsWith('/api/'));
  const right = await Promise.all(
    bodies.map(async (path) => {
      const { text } = await requestOnce(port, path);
      return text.includes('"revision":2') && text.includes(reason);
    }),
  );
  return right.filter((one) => !one).length;
}

async function proveYear(context: SuiteContext, stage: NewsStage): Promise<void> {
  const year = await passCorrectedYear(stage, { days: context.quick ? 21 : 365, random: seededRandom(16) });
  const { withdrawn, markers } = year;
  context.figure({ name: 'reports of the year', value: year.keys.length, unit: 'reports' });
  context.figure({ name: 'items withdrawn meanwhile', value: withdrawn.size, unit: 'items' });
  context.figure({ name: 'items corrected meanwhile', value: year.corrected, unit: 'items' });
  const none = (name: string, value: number, unit: string): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  const shown = await shownEditions(stage, year);
  const citing = shown.filter(({ itemIds }) => itemIds.some((id) => withdrawn.has(id)));
  none('reports that cite a withdrawn item', citing.length, 'reports');
  const gone = [...withdrawn].map((id) => markers.get(id) ?? id);
  const speaking = (await everyRevision(stage)).filter((text) => gone.some((word) => text.includes(word)));
  none('revisions, current or not, with text of a withdrawn item', speaking.length, 'revisions');
  const published = await publishedWithdrawals(stage);
  const unpublished = [...withdrawn].filter((id) => published.get(id) !== 1);
  none('withdrawals without exactly one correction', unpublished.length, 'items');
  await countBrokenPromises(context, stage.database, systemClock.now());
}

/** As readers get them. */
async function shownEditions(
  { record }: NewsStage,
  { keys }: CorrectedYear,
): Promise<readonly { readonly itemIds: readonly string[] }[]> {
  const editions = await Promise.all(keys.map(({ kind, period }) => record.edition(kind, period)));
  return editions.map((edition) => ({
    itemIds: [
      ...(edition?.sections.flatMap(({ items }) => items) ?? []),
      ...(edition?.flashes ?? []),
      ...(edition?.reports.map(({ item }) => item) ?? []),
    ].map(({ id }) => id),
  }));
}

async function everyRevision({ database }: NewsStage): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('record.edition_revision')
    .select(['headline', 'overview'])
    .unionAll(database.selectFrom('record.edition_version').select(['headline', 'overview']))
    .execute();
  return rows.map(({ headline, overview }) => `${headline} ${overview}`);
}

/** By item. */
async function publishedWithdrawals({ newsReader }: NewsStage): Promise<ReadonlyMap<string, number>> {
  const rows = await newsReader
    .selectFrom('record.correction')
    .select((select) => ['subject', select.fn.countAll<string>().as('count')])
    .where('action', '=', 'withdrawn')
    .groupBy('subject')
    .execute();
  return new Map(rows.map(({ subject, count }) => [subject, Number(count)]));
}
