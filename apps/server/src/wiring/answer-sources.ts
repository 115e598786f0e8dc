import type { answers } from '../agents/index.ts';
import { temporarilyUnavailable } from '../foundation/http/http-problems.ts';
import { epochMicroseconds, dayMicroseconds, isoMilliseconds } from '../foundation/instant.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import type { BoundedQueue } from '../foundation/limits/bounded-queue.ts';
import { createBoundedQueue } from '../foundation/limits/bounded-queue.ts';
import { ProblemError } from '../foundation/problem.ts';
import { languageOfText } from '../foundation/reader-language.ts';
import { searchTermsOf } from '../foundation/search-text.ts';
import type { NewsDeps } from '../news/index.ts';
import type { editions } from '../record/index.ts';
import { items, publicPaths } from '../record/index.ts';
import { searchesRunningMax } from '../record/wiring.ts';
import type { StorageDeps } from '../storage/index.ts';
import { findCorrections, readCorrection } from './correction-sources.ts';
import { createFileSources } from './file-sources.ts';

type Deps = Pick<NewsDeps, 'record' | 'clock' | 'baseUrl'>;
type Source = answers.CitableSource;
type Search = Parameters<answers.AnswerSources['find']>[1];
type Reference = Parameters<answers.AnswerSources['read']>[1][number];
type FoundItem = Omit<Awaited<ReturnType<Deps['record']['searchArchive']>>[number], 'query'>;

const windowDays = 7n;
const itemsPerWord = 15;
const archivedPerQuery = 12;
/** Forms of a word that are searched for in the window, where a search takes longer. */
const windowFormsMax = 2;
const storiesMax = 12;
const sourcesMax = 60;
const editionKinds = ['daily', 'weekly'] as const;
const filter = { mode: 'all', category: null, sourceId: null, language: null, by: 'timeline' } as const;

/** A question takes one search at a time, so that readers always have the other searches of the process. */
const questionsSearchingMax = searchesRunningMax / 2;
const questionsWaitingMax = 32;
const retryAfterSeconds = 5;

/**
 * What answers of agents quote: published items, digests of stories and reports, which are public, and, with storage,
 * files that the caller can read.
 */
export function createAnswerSources(
  deps: Deps,
  storage: Pick<StorageDeps, 'database'> | null,
): answers.AnswerSources {
  const files = storage === null ? null : createFileSources(storage, deps.baseUrl);
  const places = createBoundedQueue({
    runningMax: questionsSearchingMax,
    placesMax: questionsSearchingMax + questionsWaitingMax,
  });
  return {
    now: () => deps.clock.now(),
    find: (scope, search) =>
      inTurn(places, async () => {
        const [ofNews, ofFiles] = await Promise.all([
          scope.agent.readsPublicRecord ? findNews(deps, search) : [],
          files?.find(scope, search) ?? [],
        ]);
        return [...ofNews, ...ofFiles];
      }),
    findCorrections: async (scope, watch) =>
      scope.agent.readsPublicRecord ? inTurn(places, () => findCorrections(deps, watch)) : [],
    read: async (scope, references) => {
      const ofNews = references.filter(({ kind }) => kind !== 'file');
      const cited = files === null ? [] : references.filter(({ kind }) => kind === 'file');
      return [
        ...(scope.agent.readsPublicRecord ? await readNews(deps, ofNews) : []),
        ...((await files?.read(scope, cited)) ?? []),
      ];
    },
  };
}

async function findNews(deps: Deps, search: Search): Promise<Source[]> {
  const listed = await searchItems(deps, search);
  const storyIds = [...new Set(listed.flatMap(({ storyId }) => (storyId === null ? [] : [storyId])))];
  const [stories, latest] = await Promise.all([
    Promise.all(storyIds.slice(0, storiesMax).map((id) => readStory(deps, id))),
    Promise.all(editionKinds.map((kind) => readEdition(deps, kind, 'latest'))),
  ]);
  const ofItems = listed.slice(0, sourcesMax).map(({ body }) => itemSource(deps, body));
  return [...ofItems, ...present(stories), ...present(latest)];
}

async function readNews(deps: Deps, references: readonly Reference[]): Promise<Source[]> {
  const wanted = new Map(references.map((one) => [`${one.kind} ${one.id}`, one]));
  return present(await Promise.all([...wanted.values()].map((one) => readSource(deps, one))));
}

const present = <Value>(values: readonly (Value | null)[]): Value[] =>
  values.filter((value) => value !== null);

async function inTurn<Found>(places: BoundedQueue, search: () => Promise<Found>): Promise<Found> {
  const place = places.take();
  if (place === null) {
    throw new ProblemError(temporarilyUnavailable, 'Too many questions are queued.', {
      retryAfterSeconds,
    });
  }
  try {
    return await place.run(search);
  } finally {
    place.leave();
  }
}

/**
 * Published items of the window and selected items of all time: those that contain the most words first; the newest
 * first if they contain the same number.
 */
async function searchItems({ record, clock }: Deps, { words, queries }: Search) {
  const until = clock.now();
  const span = { after: epochMicroseconds(until - windowDays * dayMicroseconds), until };
  const request = { filter, span, position: null, rowsMax: itemsPerWord };
  const found = new Map<string, { readonly item: FoundItem; readonly words: Set<object> }>();
  const add = (item: FoundItem, contained: readonly object[]): void => {
    const known = found.get(item.id) ?? { item, words: new Set() };
    for (const word of contained) known.words.add(word);
    found.set(item.id, known);
  };
  const wanted = words.flatMap((word) =>
    word.forms
      .filter((form) => searchTermsOf(form).length > 0)
      .slice(0, windowFormsMax)
      .map((form) => ({ word, form })),
  );
  const recent = await record.searchItemsForEach(
    request,
    wanted.map(({ form }) => form),
  );
  for (const { query, ...item } of recent) add(item, present([wanted[query]?.word ?? null]));
  const forms = queries.map((query) => query.forms);
  const archived = await record.searchArchive({ queries: forms, until, rowsPerQuery: archivedPerQuery });
  for (const { query, ...item } of archived) add(item, queries[query]?.words ?? []);
  return [...found.values()]
    .sort((one, other) => other.words.size - one.words.size || Number(other.item.key - one.item.key))
    .map(({ item }) => item);
}

function itemSource({ baseUrl }: Deps, stored: string): Source {
  const body = JSON.parse(items.withBaseUrl(stored, baseUrl)) as items.ItemBody;
  return {
    kind: 'item',
    id: body.id,
    title: body.title,
    text: body.summary,
    day: (body.publishedAt ?? body.discoveredAt).slice(0, 10),
    language: languageOfText(`${body.title} ${body.summary}`),
    url: body.links.item,
    publisher: body.source.name,
  };
}

async function readSource(deps: Deps, { kind, id }: Reference): Promise<Source | null> {
  if (kind === 'story') return readStory(deps, id);
  if (kind === 'correction') return readCorrection(deps, id);
  if (kind === 'edition') {
    const [edition = '', period = ''] = id.split('/');
    const known = editionKinds.find((one) => one === edition);
    return known === undefined ? null : readEdition(deps, known, period);
  }
  const found = await deps.record.item(id);
  return found?.state === 'standing' ? itemSource(deps, found.body) : null;
}

const dayOf = (instant: EpochMicroseconds): string => isoMilliseconds(instant).slice(0, 10);

async function readStory({ record, baseUrl }: Deps, id: string): Promise<Source | null> {
  const found = await record.story(id);
  if (found?.state !== 'standing' || found.story.digest === null) return null;
  const { title, digest, latestAt } = found.story;
  return {
    kind: 'story',
    id,
    title,
    text: digest.text,
    day: dayOf(latestAt),
    language: languageOfText(digest.text),
    url: `${baseUrl}${publicPaths.storyPath(id)}`,
    publisher: null,
  };
}

async function readEdition(
  { record, baseUrl }: Deps,
  kind: (typeof editionKinds)[number],
  period: string,
): Promise<Source | null> {
  const edition = await record.edition(kind, period);
  if (edition === null) return null;
  const key: editions.EditionKey = { kind, period: edition.period };
  return {
    kind: 'edition',
    id: `${kind}/${edition.period}`,
    title: edition.headline,
    text: edition.overview,
    day: dayOf(edition.generatedAt),
    language: edition.language,
    url: `${baseUrl}${publicPaths.editionPath(key)}`,
    publisher: null,
  };
}
