import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { Story } from './story-schema.ts';

export interface StoryRow {
  readonly id: string;
  readonly title: string;
  readonly source_count: number;
  readonly report_count: number;
  readonly first_report_at: string | null;
  readonly latest_at: string | null;
  readonly digest: Story['digest'];
  readonly merged_into: string | null;
  readonly reports: readonly StoryReportRow[];
  readonly neighbours: readonly NeighbourRow[];
}

export interface StoryReportRow {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source_name: string;
  readonly first_party: boolean;
  readonly published_at: string | null;
  readonly discovered_at: string;
  readonly original_url: string;
}

export interface NeighbourRow {
  readonly id: string;
  readonly title: string;
  readonly kind: 'storyline' | 'related';
  readonly relation: string;
}

const storyReportsMax = 50;
const neighboursMax = 8;

/** One statement: a digest must not be read before a withdrawal and its reports after it. */
export async function readStory(database: Database, id: string): Promise<StoryRow | null> {
  const { rows } = await sql<StoryRow>`
    SELECT story.id, story.title, story.source_count, story.report_count,
      story.first_report_at, story.latest_at, story.digest, story.merged_into,
      coalesce((
        SELECT jsonb_agg(to_jsonb(report)) FROM (
          SELECT i.id, i.title, i.summary, s.name AS source_name, s.first_party,
            i.published_at::text, i.discovered_at::text, i.original_url
          FROM record.item i JOIN record.source s ON s.id = i.source_id
          WHERE i.story_id = story.id AND i.withdrawn_at IS NULL
          ORDER BY i.discovered_at DESC, i.id DESC LIMIT ${storyReportsMax}
        ) AS report
      ), '[]') AS reports,
      coalesce((
        SELECT jsonb_agg(to_jsonb(neighbour)) FROM (
          SELECT other.id, other.title, n.kind, n.relation
          FROM record.story_neighbour n
          JOIN record.story other ON other.id = n.neighbour_id
          WHERE n.story_id = story.id AND other.report_count > 0
          ORDER BY n.position, other.id LIMIT ${neighboursMax}
        ) AS neighbour
      ), '[]') AS neighbours
    FROM record.story story WHERE story.id = ${id}::uuid`.execute(database);
  return rows[0] ?? null;
}
