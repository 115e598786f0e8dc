import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText, otherLanguage, readerLanguages } from '../../foundation/reader-language.ts';
import type { RecordView } from '../items/record-view.ts';
import { presentView } from '../items/record-view.ts';
import { independentSources } from '../items/voice-store.ts';
import type { StoryDigest, StoryLink } from '../stories/story.ts';
import { storyLinksMax } from '../stories/story.ts';
import type { TitlesByLanguage } from './story-words-store.ts';
import { titlesByLanguage } from './story-words-store.ts';

/** A story with at least one item that is not withdrawn. */
export interface RecordedStory {
  readonly id: Id<'story'>;
  readonly title: string;
  /** Absent for a title by rule, and at an earlier time: former ones are not stored. */
  readonly titleBy?: 'editor';
  /** Independent sources: copies of a text and sources of one owner count once. */
  readonly sourceCount: number;
  readonly reportCount: number;
  readonly firstReportAt: EpochMicroseconds;
  readonly latestAt: EpochMicroseconds;
  readonly digest: StoryDigest | null;
  /** One for each language in which it has a report. */
  readonly versions: readonly StoryVersion[];
  /** Newest first. */
  readonly items: readonly StoryItem[];
  /** Strongest first. */
  readonly links: readonly LinkedStory[];
}

/** A story in one language. */
export interface StoryVersion {
  readonly language: ReaderLanguage;
  readonly title: string;
  readonly titleBy?: 'editor';
  readonly digest: StoryDigest | null;
}

export interface StoryItem {
  readonly id: Id<'item'>;
  readonly title: string;
  readonly originalTitle: string | null;
  readonly language: string | null;
  readonly summary: string;
  readonly category: string;
  readonly sourceName: string;
  readonly owner: string;
  readonly firstParty: boolean;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
  readonly originalUrl: string;
}

export interface LinkedStory {
  readonly id: Id<'story'>;
  readonly title: string;
  readonly titles: TitlesByLanguage;
  readonly kind: StoryLink['kind'];
  /** Whether the linked story began earlier. */
  readonly isEarlier: boolean;
}

export type FoundStory =
  | { readonly state: 'standing'; readonly story: RecordedStory }
  | { readonly state: 'merged'; readonly into: Id<'story'> };

const storyItemsMax = 50;

interface StoryRow {
  readonly id: Id<'story'>;
  readonly title: string;
  readonly source_count: number;
  readonly report_count: number;
  readonly first_report_at: string | null;
  readonly latest_at: string | null;
  readonly digest: StoryDigest | null;
  readonly other_digest: StoryDigest | null;
  readonly is_title_by_editor: boolean;
  readonly titles: TitlesByLanguage;
  readonly merged_into: Id<'story'> | null;
  readonly items: readonly ItemRow[];
  readonly links: readonly LinkedStory[];
}

interface ItemRow extends Omit<StoryItem, 'publishedAt' | 'discoveredAt'> {
  readonly publishedAt: string | null;
  readonly discoveredAt: string;
}

/** One statement: a digest must not be read before a withdrawal and its items after it. */
export async function readStory(
  database: Database,
  id: string,
  view: RecordView = presentView,
): Promise<FoundStory | null> {
  const [own, other] = [sql.ref('story.id'), sql.ref('other.id')];
  const { rows } = await sql<StoryRow>`${view.prepared('read-story')}
    SELECT story.id, story.title, ${independentSources(own, view)} AS source_count, story.report_count,
      story.first_report_at, story.latest_at, story.digest, story.other_digest,
      story.merged_into, ${titlesByLanguage(own, view)} AS titles,
      ${view === presentView ? sql`'title' = ANY(story.by_editor)` : sql`false`} AS is_title_by_editor,
      coalesce((
        SELECT jsonb_agg(to_jsonb(item)) FROM (
          SELECT i.id, i.title, i.original_title AS "originalTitle", i.language, i.summary, i.category,
            s.name AS "sourceName", s.owner, s.first_party AS "firstParty",
            i.published_at::text AS "publishedAt", i.discovered_at::text AS "discoveredAt",
            i.original_url AS "originalUrl"
          FROM ${view.itemsOf(own)} i JOIN ${view.source(sql`i.source_id`)} s ON s.id = i.source_id
          WHERE i.story_id = story.id AND i.withdrawn_at IS NULL AND ${view.hasWords('i')}
          ORDER BY i.discovered_at DESC, i.id DESC LIMIT ${storyItemsMax}
        ) AS item
      ), '[]') AS items,
      coalesce((
        SELECT jsonb_agg(to_jsonb(linked)) FROM (
          SELECT other.id, other.title, ${titlesByLanguage(other, view)} AS titles, link.kind,
            other.first_report_at < story.first_report_at AS "isEarlier"
          FROM ${view.linksOf(own)} link
          JOIN ${view.story(sql`CASE WHEN link.one_id = story.id THEN link.other_id ELSE link.one_id END`)} other ON other.id = CASE WHEN link.one_id = story.id THEN link.other_id ELSE link.one_id END
          WHERE story.id IN (link.one_id, link.other_id) AND other.report_count > 0
          ORDER BY link.strength DESC, other.id LIMIT ${storyLinksMax}
        ) AS linked
      ), '[]') AS links
    FROM ${view.story(sql`${id}::uuid`)} story WHERE story.id = ${id}::uuid`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  if (row.merged_into !== null) return { state: 'merged', into: row.merged_into };
  if (row.items.length === 0 || row.first_report_at === null || row.latest_at === null) return null;
  return {
    state: 'standing',
    story: {
      id: row.id,
      title: titleOf(row),
      ...titleByOf(row),
      sourceCount: row.source_count,
      reportCount: row.report_count,
      firstReportAt: fromTimestamptz(row.first_report_at),
      latestAt: fromTimestamptz(row.latest_at),
      digest: row.digest,
      versions: versionsOf(row),
      items: row.items.map(itemOf),
      links: row.links.map((linked) => ({ ...linked, title: titleOf(linked) })),
    },
  };
}

/** A title that was erased since is replaced by that of the earliest item; only at an earlier moment. */
function titleOf({ title, titles }: { readonly title: string; readonly titles: TitlesByLanguage }): string {
  return title === '' ? (titles.en ?? titles.zh ?? '') : title;
}

function titleByOf({ title, is_title_by_editor }: Pick<StoryRow, 'title' | 'is_title_by_editor'>): {
  readonly titleBy?: 'editor';
} {
  return title !== '' && is_title_by_editor ? { titleBy: 'editor' } : {};
}

function versionsOf(
  row: Pick<StoryRow, 'title' | 'is_title_by_editor' | 'titles' | 'digest' | 'other_digest'>,
): StoryVersion[] {
  const own = ownLanguage(row);
  return readerLanguages.flatMap((language) => {
    const reported = row.titles[language];
    if (reported === undefined) return [];
    return language === own
      ? [{ language, title: row.title === '' ? reported : row.title, ...titleByOf(row), digest: row.digest }]
      : [{ language, title: reported, digest: row.other_digest }];
  });
}

/** That of the title. The digests have the languages that they had beside a title which was erased since. */
function ownLanguage(row: Pick<StoryRow, 'title' | 'titles' | 'digest' | 'other_digest'>): ReaderLanguage {
  const { title, digest, other_digest: otherDigest } = row;
  if (title !== '' || (digest ?? otherDigest) === null) return languageOfText(titleOf(row));
  return digest === null
    ? otherLanguage(languageOfText(otherDigest?.text ?? ''))
    : languageOfText(digest.text);
}

function itemOf(row: ItemRow): StoryItem {
  return {
    ...row,
    publishedAt: row.publishedAt === null ? null : fromTimestamptz(row.publishedAt),
    discoveredAt: fromTimestamptz(row.discoveredAt),
  };
}

/** One item of a story, for the coverage chart. */
export interface CoverageItem {
  readonly id: Id<'item'>;
  readonly at: EpochMicroseconds;
  readonly sourceName: string;
  readonly firstParty: boolean;
}

const coverageMax = 500;

/** Every item that is not withdrawn, oldest first. */
export async function readStoryCoverage(
  database: Database,
  id: Id<'story'>,
  view: RecordView = presentView,
): Promise<readonly CoverageItem[]> {
  const { rows } = await sql<{ id: string; timeline_at: string; name: string; first_party: boolean }>`
    SELECT item.id, item.timeline_at, source.name, source.first_party
    FROM ${view.itemsOf(sql`${id}::uuid`)} AS item
    JOIN ${view.source(sql`item.source_id`)} AS source ON source.id = item.source_id
    WHERE item.story_id = ${id} AND item.withdrawn_at IS NULL AND ${view.hasWords('item')}
    ORDER BY item.timeline_at, item.id LIMIT ${coverageMax}`.execute(database);
  return rows.map((row) => ({
    id: row.id as Id<'item'>,
    at: fromTimestamptz(row.timeline_at),
    sourceName: row.name,
    firstParty: row.first_party,
  }));
}

/** The number of items of each story that are not withdrawn. */
export async function readItemCounts(
  database: Database,
  ids: readonly Id<'story'>[],
): Promise<ReadonlyMap<Id<'story'>, number>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('record.story')
    .select(['id', 'report_count'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id as Id<'story'>, row.report_count]));
}

/** The stories updated last. */
export async function readRecentStoryIds(
  database: Database,
  storiesMax: number,
): Promise<readonly Id<'story'>[]> {
  const rows = await database
    .selectFrom('record.story')
    .select('id')
    .where('merged_into', 'is', null)
    .where('report_count', '>', 0)
    .orderBy('latest_at', 'desc')
    .limit(storiesMax)
    .execute();
  return rows.map(({ id }) => id as Id<'story'>);
}
