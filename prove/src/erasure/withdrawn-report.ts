import { setTimeout as delay } from 'node:timers/promises';

import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import type { createTestNewsroom } from '../../../apps/server/test/newsroom.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { publishRanking } from '../news/news-world.ts';
import type { SharingPublishers } from './shared-article.ts';
import { reportWith } from './shared-article.ts';

export type Newsroom = ReturnType<typeof createTestNewsroom>;
type Source = Awaited<ReturnType<Newsroom['add']>>;

export interface PublishedReport {
  readonly itemId: Id<'item'>;
  readonly storyId: Id<'story'>;
  /** Each occurs only in this report. */
  readonly words: readonly string[];
  readonly paths: readonly string[];
}

interface ReportStage {
  readonly stage: NewsStage;
  readonly newsroom: Newsroom;
  readonly publishers: SharingPublishers;
  readonly sources: readonly Source[];
}

/** A report that publishers list, edit and repeat; the story, ranking and reports of the newsroom repeat its words. */
export async function publishReport(deps: ReportStage, number: number): Promise<PublishedReport> {
  const { stage, publishers } = deps;
  const words = [`Zanzibar${number}q`, `Quagmire${number}q`] as const;
  publishers.articles.push(reportWith(words[0], number));
  const itemId = await published(deps, words[0]);
  Object.assign(publishers.articles[number] as object, reportWith(words[1], number));
  await published(deps, words[1]);
  const other = await stage.factory.publish({ title: 'Another report', sourceName: 'The Post' });
  const storyId = await storyAbout(stage, itemId, other);
  const quote = {
    itemId,
    sourceName: 'Source 0',
    spans: [`The model ${words[1]} was released on Monday.`],
    textHash: null,
    saltRevision: null,
  };
  const digest = {
    text: `The ${words[1]} was released.`,
    sentences: [{ text: `The ${words[1]} was released.`, cites: [itemId], quotes: [quote] }],
    contradictions: [],
  };
  valueOf(await stage.factory.publisher.reviseStory({ storyId, changes: { digest } }));
  await publishRanking(stage.factory, [itemId, other]);
  const period = `2027-01-${String(number + 1).padStart(2, '0')}`;
  const contents = {
    headline: `The ${words[1]} and more`,
    overview: `A daily about the ${words[1]}.`,
    headlineCites: [itemId],
    overviewCites: [itemId],
    sections: [{ key: 'all', label: 'All', itemIds: [itemId, other] }],
    flashes: [],
    notes: [{ language: 'en' as const, text: `We tried the ${words[1]}.`, cites: [itemId] }],
  };
  valueOf(await stage.factory.publisher.issueEdition({ kind: 'daily', period, contents }));
  const subjects = [`items/${itemId}`, `stories/${storyId}`, `dailies/${period}`];
  const pages = [`/items/${itemId}`, `/story/${storyId}`, `/daily/${period}`];
  return {
    itemId,
    storyId,
    words,
    paths: [
      ...subjects.flatMap((subject) => [`/api/v1/${subject}`, `/api/v1/${subject}/history`]),
      ...subjects.map((subject) => `/api/v1/${subject}/proof`),
      ...pages,
      '/api/v1/hot-topics',
    ],
  };
}

async function published({ stage, newsroom, sources }: ReportStage, word: string): Promise<Id<'item'>> {
  for (const source of sources) await newsroom.poll(await newsroom.stored(source.id));
  await newsroom.publish();
  const row = await stage.database
    .selectFrom('record.item')
    .select('id')
    .where('title', 'like', `%${word}%`)
    .executeTakeFirst();
  if (row === undefined) throw new Error(`no item about ${word} was published`);
  return row.id as Id<'item'>;
}

async function storyAbout(
  { database, factory }: NewsStage,
  itemId: Id<'item'>,
  other: Id<'item'>,
): Promise<Id<'story'>> {
  const { publisher } = factory;
  const row = await database
    .selectFrom('record.item')
    .select('story_id')
    .where('id', '=', itemId)
    .executeTakeFirstOrThrow();
  if (row.story_id === null)
    return valueOf(await publisher.openStory({ title: 'An event', itemIds: [itemId, other] })).storyId;
  const storyId = row.story_id as Id<'story'>;
  valueOf(await publisher.assignToStory({ storyId, itemIds: [other] }));
  return storyId;
}

/** The salts of the item and of everything that repeats its words. */
export async function readSalts(
  { database }: NewsStage,
  { itemId }: PublishedReport,
): Promise<readonly Buffer[]> {
  const rows = await database
    .selectFrom('record.log_content')
    .select('salt')
    .where((where) =>
      where.or([
        where.and([where('kind', '=', 'item'), where('subject', '=', itemId)]),
        where.exists(
          where
            .selectFrom('record.edition_citation')
            .select('item_id')
            .whereRef('record.edition_citation.kind', '=', 'record.log_content.kind')
            .whereRef('record.edition_citation.period', '=', 'record.log_content.subject')
            .where('item_id', '=', itemId),
        ),
      ]),
    )
    .where('salt', 'is not', null)
    .execute();
  return rows.flatMap(({ salt }) => salt ?? []);
}

/** Asks until it is true, or for longer than any promise lasts. */
export async function becomesTrue(isTrue: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const endMs = performance.now() + withinMs; ;) {
    if (await isTrue()) return true;
    if (performance.now() > endMs) return false;
    await delay(25);
  }
}
