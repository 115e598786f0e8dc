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

type Deps = Pick<NewsDeps, 'record' | 'clock' | 'baseUrl'>;
type Source = answers.CitableSource;
type FoundItem = Awaited<ReturnType<Deps['record']['searchItems']>>[number];

const windowDays = 7n;
const itemsPerWord = 15;
const storiesMax = 12;
const sourcesMax = 60;
const editionKinds = ['daily', 'weekly'] as const;
const filter = { mode: 'all', category: null, sourceId: null, language: null, by: 'timeline' } as const;

/** A question searches for one word after the other, so that readers always have the other searches of the process. */
const questionsSearchingMax = searchesRunningMax / 2;
const questionsWaitingMax = 32;
const retryAfterSeconds = 5;

/** The published items, digests of stories and reports that answers of agents quote. All of them are public. */
export function createAnswerSources(deps: Deps): answers.AnswerSources {
  const places = createBoundedQueue({
    runningMax: questionsSearchingMax,
    placesMax: questionsSearchingMax + questionsWaitingMax,
  });
  return {
    now: () => deps.clock.now(),
    find: async (words) => {
      const listed = await inTurn(places, () => searchWords(deps, words));
      const storyIds = [...new Set(listed.flatMap(({ storyId }) => (storyId === null ? [] : [storyId])))];
      const [stories, latest] = await Promise.all([
        Promise.all(storyIds.slice(0, storiesMax).map((id) => readStory(deps, id))),
        Promise.all(editionKinds.map((kind) => readEdition(deps, kind, 'latest'))),
      ]);
      const ofItems = listed.slice(0, sourcesMax).map(({ body }) => itemSource(deps, body));
      return [...ofItems, ...present(stories), ...present(latest)];
    },
    read: async (references) => present(await Promise.all(references.map((one) => readSource(deps, one)))),
  };
}

const present = (sources: readonly (Source | null)[]): Source[] =>
  sources.filter((source) => source !== null);

async function inTurn<Found>(places: BoundedQueue, search: () => Promise<Found>): Promise<Found> {
  const place = places.take();
  if (place === null) {
    throw new ProblemError(temporarilyUnavailable, 'Too many questions are queued.', { retryAfterSeconds });
  }
  try {
    return await place.run(search);
  } finally {
    place.leave();
  }
}

/** Items that contain the most words first; the newest first if they contain the same number. */
async function searchWords({ record, clock }: Deps, words: readonly string[]) {
  const until = clock.now();
  const span = { after: epochMicroseconds(until - windowDays * dayMicroseconds), until };
  const request = { filter, span, position: null, rowsMax: itemsPerWord };
  const searchable = words.filter((word) => searchTermsOf(word).length > 0);
  const counts = new Map<string, { readonly item: FoundItem; count: number }>();
  for (const word of searchable) {
    for (const item of await record.searchItems(request, word)) {
      const known = counts.get(item.id) ?? { item, count: 0 };
      known.count += 1;
      counts.set(item.id, known);
    }
  }
  return [...counts.values()]
    .sort((one, other) => other.count - one.count || Number(other.item.key - one.item.key))
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

async function readSource(deps: Deps, { kind, id }: answers.SourceReference): Promise<Source | null> {
  if (kind === 'story') return readStory(deps, id);
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
