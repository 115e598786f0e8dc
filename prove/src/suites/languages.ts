import type { Goal, Suite, SuiteContext } from '@daybook/evidence';

import type { CalendarClock } from '../../../apps/server/src/foundation/clock.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { readerLanguages } from '../../../apps/server/src/foundation/reader-language.ts';
import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import { replayOutcomes } from '../editions/edition-evidence.ts';
import { editionListSurfaces, editionSurfaces } from '../languages/edition-surfaces.ts';
import type { EditionTruth } from '../languages/edition-truth.ts';
import { readEditionTruth, watchStories } from '../languages/edition-truth.ts';
import { frontSurfaces, itemSurface } from '../languages/front-surfaces.ts';
import { openReplay, replayFile, replayNews, settings, simulateNews } from '../languages/language-news.ts';
import type { Readers, Shown, Surface } from '../languages/language-surfaces.ts';
import { hotSurfaces, readReasons, storySurfaces } from '../languages/language-surfaces.ts';
import type { LanguageTruth } from '../languages/language-truth.ts';
import { isMostly, readLanguageTruth } from '../languages/language-truth.ts';
import { listSurfaces } from '../languages/list-surfaces.ts';
import type { MailedEditions } from '../languages/mailed-editions.ts';
import { subscribe } from '../languages/mailed-editions.ts';
import { connectors } from '../mcp/mcp-clients.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';

const simulated = 'simulated news';

export const suite: Suite = {
  name: 'languages',
  nightly: true,
  summary:
    'Readers of each language get the same stories in the same order with the same counts, in their language wherever a report in it exists.',
  headline: 'simulated news: texts in the wrong language',
  promise:
    'News of the simulated publishers (a month, with `--quick` four days) and of `replay/ai-news-34-days.jsonl` (with `--quick` the first 300 reports), moved to end now, are judged, published with digests, ranked and compiled into dailies, weeklies and monthlies by the code of a worker. The suite knows every item of the record, groups their titles by language itself, and reads, as an English and as a Chinese reader, the Top 10, the stories and the editions over the API, Markdown, feeds, MCP, the command line, pages and both parts of mails, the front page, pages of items, and lists, searches and archives of one language on each of these: a title, headline or digest in the other language although a report in the reader’s exists (in an edition: one published in its time), an entry that only one language has, another order, another number of independent sources, and a reason in the other language each count as a fault, and so does an edition whose replay differs in a language. No attacker takes part: the texts are those that publishers send, with names and quotations in the other script.',
  measuresNoTime: true,
  dataSets: [replayFile],
  run: async (context) => {
    await proveOver(context, simulated, systemClock, (stage) => simulateNews(context, stage));
    const replay = openReplay(context);
    await proveOver(context, 'real news', replay.clock, (stage) => replayNews(stage, replay));
  },
};

async function proveOver(
  context: SuiteContext,
  name: string,
  clock: CalendarClock,
  fill: (stage: NewsStage) => Promise<void>,
): Promise<void> {
  const stage = await setNewsStage(context.root, { clock });
  try {
    await watchStories(stage);
    const subscribers = await subscribe(stage);
    await fill(stage);
    const mailed = await subscribers.send();
    await subscribers.stop();
    const port = await stage.startApi({ DAYBOOK_RATE_PER_MINUTE: '1000000' });
    const connect = connectors['client of 2026 over HTTP'];
    if (connect === undefined) throw new Error('no client');
    const mcp = await connect({ address: `http://127.0.0.1:${port}/mcp`, program: [] });
    try {
      await compareLanguages(context, name, stage, { port, mcp }, mailed);
      await proveReplays(context, name, stage);
    } finally {
      await mcp.close();
    }
  } finally {
    await stage.remove();
  }
}

/** The hash of an edition covers its words and reports in every language. */
async function proveReplays(context: SuiteContext, name: string, { database }: NewsStage): Promise<void> {
  const rows = await database.selectFrom('record.edition').select(['kind', 'period']).execute();
  const keys = rows as readonly editions.EditionKey[];
  const outcomes = await replayOutcomes(database, settings, keys);
  const different = keys.filter((_, index) => !['same', 'redacted'].includes(outcomes[index] ?? ''));
  for (const { kind, period } of different) context.note(`${kind} ${period} differs when it is replayed`);
  const report = (what: string, value: number, goal?: Goal): void =>
    context.figure({ name: `${name}: ${what}`, value, unit: 'editions', ...(goal && { goal }) });
  report('editions that replay differently', different.length, { exactly: 0 });
  report('editions replayed', keys.length, { atLeast: 3 });
  report('editions replayed without withdrawn text', outcomes.filter((one) => one === 'redacted').length);
}

/** What other surfaces showed. */
interface Known {
  readonly sources: Map<string, number>;
  readonly members: Map<string, string>;
}

interface Faults {
  texts: number;
  comparedCounts: number;
  readonly empty: Set<string>;
  wrongTexts: number;
  orders: number;
  counts: number;
}

async function compareLanguages(
  context: SuiteContext,
  name: string,
  stage: NewsStage,
  readers: Readers,
  mailed: MailedEditions,
): Promise<void> {
  const truth = await readLanguageTruth(stage);
  const issued = await readEditionTruth(stage);
  const stories = truth.storyIds.slice(0, context.quick ? 8 : 300);
  const surfaces = [
    ...hotSurfaces(readers),
    ...frontSurfaces(readers, issued),
    ...listSurfaces(readers),
    ...stories.flatMap((id, index) => [
      ...storySurfaces(readers, id, index === 0),
      ...truth
        .itemsOf(id)
        .slice(0, 2)
        .map((itemId) => itemSurface(readers, itemId, id)),
    ]),
    ...editionKinds.flatMap((kind) => surfacesOfKind(readers, issued, kind, mailed)),
  ];
  const faults: Faults = {
    texts: 0,
    comparedCounts: 0,
    empty: new Set(),
    wrongTexts: 0,
    orders: 0,
    counts: 0,
  };
  const known = { sources: new Map<string, number>(), members: new Map<string, string>() };
  for (const surface of surfaces) await compareSurface(context, truth, surface, faults, known);
  const reasons = await countReasons(readers);
  const report = (what: string, value: number, unit: string, goal?: Goal): void =>
    context.figure({ name: `${name}: ${what}`, value, unit, ...(goal && { goal }) });
  const none = { exactly: 0 } as const;
  report('texts in the wrong language', faults.wrongTexts, 'texts', none);
  report('lists that differ between the languages', faults.orders, 'lists', none);
  report('numbers of sources that differ between surfaces', faults.counts, 'numbers', none);
  report('numbers of sources', faults.comparedCounts, 'numbers', { atLeast: 50 });
  report('reasons in the wrong language', reasons.wrong, 'reasons', none);
  report('surfaces', surfaces.length, 'surfaces');
  if (faults.empty.size > 0) context.note(`without an entry: ${[...faults.empty].join('; ')}`);
  context.figure({ name: `${name}: texts`, value: faults.texts, unit: 'texts', goal: { atLeast: 100 } });
  report('reasons', reasons.all, 'reasons');
  const both = truth.storyIds.filter((id) =>
    readerLanguages.every((one) => truth.titlesOf(id, one).size > 0),
  );
  context.figure({
    name: `${name}: stories with reports in both languages`,
    value: both.length,
    unit: 'stories',
    goal: { atLeast: 1 },
  });
  report('mails with an edition', mailed.count, 'mails', { atLeast: 4 });
}

const editionKinds = ['daily', 'weekly', 'monthly'] as const;

function surfacesOfKind(
  readers: Readers,
  issued: readonly EditionTruth[],
  kind: editions.EditionKind,
  mailed: MailedEditions,
): readonly Surface[] {
  const own = issued.filter((edition) => edition.kind === kind);
  return [
    ...editionListSurfaces(readers, kind, own),
    ...own.flatMap((edition, index) => editionSurfaces(readers, edition, mailed, index === 0)),
  ];
}

async function compareSurface(
  context: SuiteContext,
  truth: LanguageTruth,
  { name, isSameForAll, isOneLanguage = false, document, read }: Surface,
  faults: Faults,
  known: Known,
): Promise<void> {
  const orders = new Set<string>();
  for (const language of readerLanguages) {
    const shown = await read(language);
    if (shown.length === 0) faults.empty.add(`${name}, ${language}`);
    orders.add(JSON.stringify(shown.map(({ key }) => key)));
    for (const one of shown) {
      faults.texts += 1;
      if (isWrong(truth, language, one, isOneLanguage)) {
        faults.wrongTexts += 1;
        const expected = [...(one.titles ?? truth.titlesOf(one.key, language))].slice(0, 3).join(' | ');
        context.note(`${name}, ${language}: ${one.key} ${one.title} ${one.digest ?? ''} (${expected})`);
      }
      if (one.sources === undefined) continue;
      faults.comparedCounts += 1;
      const elsewhere = known.sources.get(one.key) ?? one.sources;
      known.sources.set(one.key, elsewhere);
      if (elsewhere !== one.sources) {
        faults.counts += 1;
        context.note(`${name}, ${language}: ${one.key} has ${one.sources} sources, elsewhere ${elsewhere}`);
      }
    }
    if (document === undefined) continue;
    const members = JSON.stringify(shown.map(({ key }) => key).toSorted());
    const elsewhere = known.members.get(document) ?? members;
    known.members.set(document, elsewhere);
    if (elsewhere !== members) orders.add(`${members}, elsewhere ${elsewhere}`);
  }
  if (!isSameForAll || orders.size === 1) return;
  faults.orders += 1;
  context.note(`${name}: ${[...orders].join(' against ')}`);
}

/** Pages clip long titles. */
function isWrong(
  truth: LanguageTruth,
  language: ReaderLanguage,
  shown: Shown,
  isOneLanguage: boolean,
): boolean {
  const { key, title, digest } = shown;
  const titles = [...(shown.titles ?? truth.titlesOf(key, language))];
  // A report may have no headline in a language.
  if (titles.length === 0) return isOneLanguage && shown.isHeadline !== true;
  const start = title.replace(/…$/u, '');
  const isKnown = start !== '' && titles.some((own) => own.startsWith(start));
  // The publisher may have changed the title of a headline since.
  const isOwnTitle = isKnown || (shown.isHeadline === true && start !== '' && isMostly(language, start));
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
