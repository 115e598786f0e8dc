import { sql } from 'kysely';

import type { CursorPosition } from '../../foundation/cursor.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { CorrectedSubject, CorrectionAction } from '../corrections/correction.ts';
import type { EditionKey } from '../editions/edition.ts';

export interface RecordedCorrection {
  readonly id: Id<'correction'>;
  readonly at: EpochMicroseconds;
  readonly action: CorrectionAction;
  readonly subject: CorrectedSubject;
  /** The story that it was merged into, or the story that was split off. */
  readonly otherStoryId: Id<'story'> | null;
  readonly reason: string;
  /** The salted hash of the previous value in the log, in hex; null if the log had no entry of it. */
  readonly beforeHash: string | null;
  /** Whether the subject, or the story it was merged into, is still shown. */
  readonly stands: boolean;
  /** Of an item, also of a withdrawn one, whose words are deleted; null for stories and editions. */
  readonly item: CorrectedItem | null;
  /** The revisions that the correction caused. */
  readonly editions: readonly (EditionKey & { readonly revision: number })[];
}

export interface CorrectedItem {
  readonly sourceName: string;
  readonly category: string;
  readonly publishedAt: EpochMicroseconds;
  /** The story that it is or was part of, if it still has reports. */
  readonly storyId: Id<'story'> | null;
}

export interface CorrectionsRequest {
  readonly after: CursorPosition<'correction'> | null;
  readonly rowsMax: number;
  /** False omits stories, for installations without a story layer. */
  readonly withStories: boolean;
  /** Only this one. */
  readonly id?: string;
}

interface CorrectionRow {
  readonly id: Id<'correction'>;
  readonly at: string;
  readonly action: CorrectionAction;
  readonly subject_kind: CorrectedSubject['kind'];
  readonly subject: string;
  readonly other_story_id: Id<'story'> | null;
  readonly reason: string;
  readonly before_hash: string | null;
  readonly stands: boolean;
  readonly source_name: string | null;
  readonly category: string | null;
  readonly published_at: string | null;
  readonly story_id: Id<'story'> | null;
  readonly editions: RecordedCorrection['editions'];
}

/** Newest first. */
export async function readCorrections(
  database: Database,
  { after, rowsMax, withStories, id }: CorrectionsRequest,
): Promise<readonly RecordedCorrection[]> {
  const position =
    after === null
      ? sql`true`
      : sql`(at, id) < (${toTimestamptz(after.key)}::timestamptz, ${after.id}::uuid)`;
  const one = id === undefined ? sql`true` : sql`id = ${id}::uuid`;
  const { rows } = await sql<CorrectionRow>`
    SELECT c.id, c.at::text, c.action, c.subject_kind, c.subject, c.other_story_id, c.reason,
      encode(c.before_hash, 'hex') AS before_hash,
      CASE c.subject_kind
        WHEN 'item' THEN EXISTS (
          SELECT FROM record.item i WHERE i.id = c.subject::uuid AND i.withdrawn_at IS NULL)
        WHEN 'story' THEN EXISTS (
          SELECT FROM record.story s
          WHERE s.id = CASE c.action WHEN 'merged' THEN c.other_story_id ELSE c.subject::uuid END
            AND (s.report_count > 0 OR s.merged_into IS NOT NULL))
        ELSE true
      END AS stands,
      source.name AS source_name, item.category,
      coalesce(item.published_at, item.discovered_at)::text AS published_at, story.id AS story_id,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('kind', k.kind, 'period', k.period, 'revision', k.revision)
          ORDER BY k.kind, k.period)
        FROM record.edition_correction k WHERE k.correction_id = c.id
      ), '[]') AS editions
    FROM (
      SELECT * FROM record.correction
      WHERE ${position} AND ${one} AND (${withStories} OR subject_kind <> 'story')
      ORDER BY at DESC, id DESC LIMIT ${rowsMax}
    ) AS c
    LEFT JOIN record.item ON c.subject_kind = 'item' AND item.id = CASE c.subject_kind WHEN 'item' THEN c.subject::uuid END
    LEFT JOIN record.source ON source.id = item.source_id
    LEFT JOIN record.story ON ${withStories} AND story.id = item.story_id AND story.report_count > 0
    ORDER BY c.at DESC, c.id DESC`.execute(database);
  return rows.map((row) => ({
    id: row.id,
    at: fromTimestamptz(row.at),
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject },
    otherStoryId: row.other_story_id,
    reason: row.reason,
    beforeHash: row.before_hash,
    stands: row.stands,
    item: itemOf(row),
    editions: row.editions,
  }));
}

function itemOf({
  source_name: sourceName,
  category,
  published_at: publishedAt,
  story_id: storyId,
}: CorrectionRow): CorrectedItem | null {
  if (sourceName === null || category === null || publishedAt === null) return null;
  return { sourceName, category, publishedAt: fromTimestamptz(publishedAt), storyId };
}
