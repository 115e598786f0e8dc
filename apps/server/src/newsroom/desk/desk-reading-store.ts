import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Category } from '../../record/index.ts';
import type { DigestSentences } from './journal.ts';
import { digestsByLanguage } from './subject-state-store.ts';

/** An item as the desk shows it. */
export interface DeskItem {
  readonly id: Id<'item'>;
  readonly title: string;
  readonly summary: string;
  readonly category: Category;
  readonly selected: boolean;
  readonly reason: string | null;
  readonly score: number | null;
  readonly sourceName: string;
  readonly originalUrl: string;
  /** ISO 8601. */
  readonly discoveredAt: string;
  readonly storyId: Id<'story'> | null;
  readonly storyTitle: string | null;
  /** The words of the publisher; null for an imported item. */
  readonly sourceTitle: string | null;
  readonly sourceText: string | null;
  /** The rules' words, where a person's words stay. */
  readonly proposedTitle: string | null;
  readonly proposedSummary: string | null;
  /** The reports that show it: `daily 2026-11-15`. */
  readonly editions: readonly string[];
}

const iso = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Null if it is withdrawn or unknown. */
export async function readDeskItem(database: Database, id: string): Promise<DeskItem | null> {
  const { rows } = await sql<DeskItem>`
    SELECT item.id, item.title, item.summary, item.category, item.selected, item.reason, item.score,
      source.name AS "sourceName", item.original_url AS "originalUrl", ${iso('item.discovered_at')} AS "discoveredAt",
      item.story_id AS "storyId", story.title AS "storyTitle", entry.title AS "sourceTitle",
      left(entry.text, 4000) AS "sourceText", override.proposed_title AS "proposedTitle",
      override.proposed_summary AS "proposedSummary",
      ARRAY(SELECT DISTINCT citation.kind || ' ' || citation.period FROM record.edition_citation AS citation
        WHERE citation.item_id = item.id ORDER BY 1) AS editions
    FROM record.item JOIN record.source ON source.id = item.source_id
    LEFT JOIN record.story ON story.id = item.story_id
    LEFT JOIN newsroom.entry ON entry.id = item.id
    LEFT JOIN newsroom.item_override AS override ON override.item_id = item.id
    WHERE item.id = ${id} AND item.withdrawn_at IS NULL`.execute(database);
  return rows[0] ?? null;
}

export type ListedDeskItem = Pick<
  DeskItem,
  'id' | 'title' | 'category' | 'selected' | 'score' | 'sourceName' | 'discoveredAt'
>;

/** Of the last days, newest first: those whose title contains the text, or all. */
export async function listDeskItems(
  database: Database,
  {
    query,
    before,
    countMax,
  }: { readonly query?: string; readonly before?: string; readonly countMax: number },
): Promise<readonly ListedDeskItem[]> {
  const part = query === undefined ? null : `%${query.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<ListedDeskItem>`
    SELECT item.id, item.title, item.category, item.selected, item.score, source.name AS "sourceName",
      ${iso('item.discovered_at')} AS "discoveredAt"
    FROM record.item JOIN record.source ON source.id = item.source_id
    WHERE item.withdrawn_at IS NULL AND (${before ?? null}::uuid IS NULL OR item.id < ${before ?? null}::uuid)
      AND (${part}::text IS NULL OR item.title ILIKE ${part})
    ORDER BY item.id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}

export interface ListedDeskStory {
  readonly id: Id<'story'>;
  readonly title: string;
  readonly itemIds: readonly Id<'item'>[];
  readonly sourceCount: number;
  /** Of its newest item. ISO 8601. */
  readonly latestAt: string;
  /** Whether an editor wrote the title. */
  readonly isTitleByEditor: boolean;
}

const listedStory = sql`
  story.id, story.title, story.source_count AS "sourceCount", ${iso('story.latest_at')} AS "latestAt",
  'title' = ANY(story.by_editor) AS "isTitleByEditor",
  ARRAY(SELECT item.id FROM record.item WHERE item.story_id = story.id AND item.withdrawn_at IS NULL ORDER BY item.id)
    AS "itemIds"`;

/** Those with the newest items first: those whose title contains the text, or all. */
export async function listDeskStories(
  database: Database,
  {
    query,
    after,
    except,
    countMax,
  }: {
    readonly query?: string;
    /** The last one of the page before. */
    readonly after?: string;
    readonly except?: string;
    readonly countMax: number;
  },
): Promise<readonly ListedDeskStory[]> {
  const part = query === undefined ? null : `%${query.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<ListedDeskStory>`
    SELECT ${listedStory} FROM record.story
    WHERE merged_into IS NULL AND latest_at IS NOT NULL
      AND (${except ?? null}::uuid IS NULL OR story.id <> ${except ?? null}::uuid)
      AND (${after ?? null}::uuid IS NULL OR (story.latest_at, story.id) <
        (SELECT last.latest_at, last.id FROM record.story AS last WHERE last.id = ${after ?? null}::uuid))
      AND (${part}::text IS NULL OR story.title ILIKE ${part})
    ORDER BY story.latest_at DESC, story.id DESC LIMIT ${countMax}`.execute(database);
  return rows;
}

/** Those that are not merged, in the order of the ids. The id of an item finds the story that contains it. */
export async function readListedStories(
  database: Database,
  ids: readonly string[],
): Promise<readonly ListedDeskStory[]> {
  const { rows } = await sql<ListedDeskStory>`
    SELECT DISTINCT ON (story.id) ${listedStory} FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS asked (id, at)
    LEFT JOIN record.item AS named ON named.id = asked.id
    JOIN record.story ON story.id = coalesce(named.story_id, asked.id)
    WHERE story.merged_into IS NULL AND story.latest_at IS NOT NULL ORDER BY story.id`.execute(database);
  return rows;
}

export interface DeskStory {
  readonly id: Id<'story'>;
  readonly title: string;
  /** The sentences of its digests; null without one in the language. */
  readonly digests: Readonly<Record<ReaderLanguage, DigestSentences | null>>;
  /** The parts that an editor wrote. */
  readonly byEditor: readonly string[];
  /** By id. */
  readonly items: readonly Pick<
    ListedDeskItem,
    'id' | 'title' | 'sourceName' | 'discoveredAt' | 'selected'
  >[];
  /** Stories about a similar subject, likeliest first. */
  readonly neighbours: readonly { readonly id: Id<'story'>; readonly title: string }[];
}

type StoredDigests = Parameters<typeof digestsByLanguage>[1];

/** Null if it was merged into another one, or is unknown. */
export async function readDeskStory(database: Database, id: string): Promise<DeskStory | null> {
  const { rows } = await sql<Omit<DeskStory, 'digests'> & StoredDigests>`
    SELECT story.id, story.title, story.digest, story.other_digest AS "otherDigest", story.by_editor AS "byEditor",
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', item.id, 'title', item.title, 'sourceName', source.name,
          'discoveredAt', ${iso('item.discovered_at')}, 'selected', item.selected) ORDER BY item.id)
        FROM record.item JOIN record.source ON source.id = item.source_id
        WHERE item.story_id = story.id AND item.withdrawn_at IS NULL), '[]') AS items,
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', other.id, 'title', other.title) ORDER BY link.strength DESC)
        FROM record.story_link AS link
        JOIN record.story AS other ON other.id IN (link.one_id, link.other_id) AND other.id <> story.id
        WHERE story.id IN (link.one_id, link.other_id) AND other.merged_into IS NULL), '[]') AS neighbours
    FROM record.story WHERE story.id = ${id} AND story.merged_into IS NULL`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  const { digest, otherDigest, ...story } = row;
  return { ...story, digests: digestsByLanguage(story.title, { digest, otherDigest }) };
}
