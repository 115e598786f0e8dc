import type { Suite, SuiteContext } from '@daybook/evidence';
import { quantile, seededRandom } from '@daybook/evidence';
import { searchTerms } from '@daybook/newswire';
import { sql } from 'kysely';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { epochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { createRecordReader } from '../../../apps/server/src/record/wiring.ts';
import { connectForBench } from '../measured-api.ts';
import { measureFile } from '../news/archive-file-rate.ts';
import { elapsedMs } from '../news/elapsed.ts';
import type { NewsSet } from '../news/news-load.ts';
import { windowWorld } from '../news/news-load.ts';
import { folderOf, openCluster } from '../news/saved-cluster.ts';
import { loadMissingSets } from '../news/saved-sets.ts';

const window = { inWindow: 10_000 };
/** The larger set of a full run is that of the suite `news`. */
const sets: Readonly<Record<'quick' | 'full', readonly [NewsSet, NewsSet]>> = {
  quick: [
    { ...window, older: 10_000, olderSelected: 10_000 },
    { ...window, older: 100_000, olderSelected: 100_000 },
  ],
  full: [
    { ...window, older: 490_000, olderSelected: 100_000 },
    { ...window, older: 4_990_000, olderSelected: 1_000_000 },
  ],
};
const rounds = { quick: 40, full: 200 } as const;
const limit = 50;
const withinMs = 30;
const growthMax = 1.2;

export const suite: Suite = {
  name: 'archive',
  nightly: true,
  summary: 'a page of the archive by each kind of filter, in a small and a ten times larger archive',
  promise:
    'A page of the archive takes at most 30 ms at the 95th percentile in an archive of 1 M selected items among 5 M (110 k with `--quick`), and at most 1.2 times the time of one of a tenth, for every kind of filter: none, category, language, source, story, a month, and words that are common, frequent, rare and absent. Each page begins at a random moment of the archive. The two archives are asked by turns. The file of a month is written at half the rate of a bare COPY of the same items.',
  run: async (context) => {
    const both = sets[context.quick ? 'quick' : 'full'];
    await loadMissingSets(context, both);
    await withArchive(context, both[0], (small) =>
      withArchive(context, both[1], async (large) => {
        await measurePages(context, small, large);
        await measureFile(context, large);
      }),
    );
  },
};

type Reader = ReturnType<typeof createRecordReader>;
type Request = Parameters<Reader['archive']>[0];

interface Archive {
  readonly reader: Reader;
  readonly selected: number;
  /** Of the selected items. */
  readonly first: bigint;
  readonly last: bigint;
  readonly sources: readonly Id<'source'>[];
  readonly stories: readonly Id<'story'>[];
  readonly urls: DatabaseUrls;
}

async function withArchive(
  { root }: SuiteContext,
  set: NewsSet,
  measure: (archive: Archive) => Promise<void>,
): Promise<void> {
  const { cluster, urls } = await openCluster(folderOf(root, set));
  const { database, pool, close } = connectForBench(urls.newsReader, 'bench archive');
  try {
    const reader = createRecordReader({ database, pool, searchDatabase: database });
    await measure({ reader, urls, ...(await factsOf(database)) });
  } finally {
    await close();
    await cluster.stop();
  }
}

async function factsOf(database: Database): Promise<Omit<Archive, 'reader' | 'urls'>> {
  const { rows } = await sql<{ selected: number; first: string; last: string }>`
    SELECT count(*)::int AS selected, (extract(epoch FROM min(discovered_at)) * 1000000)::bigint::text AS first,
      (extract(epoch FROM max(discovered_at)) * 1000000)::bigint::text AS last
    FROM record.item WHERE selected`.execute(database);
  const ids = async (column: 'source_id' | 'story_id'): Promise<readonly string[]> => {
    const found = await sql<{ id: string }>`
      SELECT DISTINCT id FROM (SELECT ${sql.ref(column)} AS id FROM record.item
        WHERE selected AND ${sql.ref(column)} IS NOT NULL LIMIT 2000) AS some LIMIT 50`.execute(database);
    return found.rows.map(({ id }) => id);
  };
  const [facts] = rows;
  if (facts === undefined) throw new Error('the archive is empty');
  return {
    selected: facts.selected,
    first: BigInt(facts.first),
    last: BigInt(facts.last),
    sources: (await ids('source_id')) as Id<'source'>[],
    stories: (await ids('story_id')) as Id<'story'>[],
  };
}

const none: Request['filter'] = { category: null, sourceId: null, language: null, storyId: null };

/** The kinds of filters, each with a request for a draw. */
function kindsOf(random: () => number): Readonly<Record<string, (archive: Archive) => Request>> {
  const pick = <Value>(values: readonly Value[]): Value | null =>
    values[Math.floor(random() * values.length)] ?? null;
  const terms = searchTerms(windowWorld(window.inWindow));
  const until = ({ first, last }: Archive) =>
    epochMicroseconds(first + BigInt(Math.floor(random() * Number(last - first))));
  const request = (
    archive: Archive,
    filter: Partial<Request['filter']>,
    q: string | null = null,
  ): Request => ({
    filter: { ...none, ...filter },
    q,
    span: { after: epochMicroseconds(0n), until: until(archive) },
    position: null,
    limit,
  });
  const words = (name: string) => (archive: Archive) =>
    request(archive, {}, pick(terms.filter((term) => term.class === name))?.term ?? '');
  const monthMicroseconds = 30n * 86_400_000_000n;
  return {
    'no filter': (archive) => request(archive, {}),
    'a category': (archive) => request(archive, { category: 'paper' }),
    'a language': (archive) => request(archive, { language: 'zh' }),
    'a source': (archive) => request(archive, { sourceId: pick(archive.sources) }),
    'a story': (archive) => request(archive, { storyId: pick(archive.stories) }),
    'a month': (archive) => {
      const made = request(archive, {});
      return {
        ...made,
        span: { ...made.span, after: epochMicroseconds(made.span.until - monthMicroseconds) },
      };
    },
    'common words': words('common'),
    'frequent words': words('frequent'),
    'rare words': words('rare'),
    'absent words': words('absent'),
  };
}

async function measurePages(context: SuiteContext, small: Archive, large: Archive): Promise<void> {
  const kinds = kindsOf(seededRandom(9));
  for (const { selected } of [small, large])
    context.figure({ name: 'selected items', value: selected, unit: 'items' });
  for (const [name, draw] of Object.entries(kinds)) {
    const time = (archive: Archive): Promise<number> => {
      const request = draw(archive);
      return elapsedMs(() => archive.reader.archive(request));
    };
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < 5; round += 1) await Promise.all([time(small), time(large)]);
    for (let round = 0; round < rounds[context.quick ? 'quick' : 'full']; round += 1) {
      bare.push(await time(small));
      ours.push(await time(large));
    }
    context.figure({
      name: `${name}, p95`,
      value: quantile(ours, 0.95),
      unit: 'ms',
      goal: { atMost: withinMs },
    });
    context.ratio({
      name: `${name}: growth to the ten times larger archive`,
      unit: 'ms',
      ours,
      bare,
      goal: { atMost: growthMax },
    });
  }
}
