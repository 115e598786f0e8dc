import { sql } from 'kysely';

import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { FormerValues, LoggedKind } from './log-entry.ts';

/** A revision whose content is stored, or was until it was erased. */
export interface StoredRevision {
  readonly revision: number;
  readonly was: FormerValues | null;
}

/** Newest first. */
export async function readStoredRevisions(
  database: Database,
  kind: LoggedKind,
  subject: string,
): Promise<readonly StoredRevision[]> {
  const { rows } = await sql<StoredRevision>`${preparedAs('read-stored-revisions')}
    SELECT revision, was FROM record.log_content WHERE kind = ${kind} AND subject = ${subject}
    ORDER BY revision DESC`.execute(database);
  return rows;
}

/**
 * Of a withdrawn item only its earlier stories remain, which count it: its words, its other values and its salts are
 * deleted.
 */
export async function eraseWithdrawnContent(database: Database, itemId: string): Promise<void> {
  await sql`
    DELETE FROM record.log_content
    WHERE kind = 'item' AND subject = ${itemId} AND (was ? 'story_id') IS NOT TRUE`.execute(database);
  await sql`
    UPDATE record.log_content SET salt = NULL, was = jsonb_build_object('story_id', was -> 'story_id')
    WHERE kind = 'item' AND subject = ${itemId}`.execute(database);
}

/** The earlier revisions of an item get the values of these columns from the newest one, and lose their salts. */
export async function eraseCorrectedContent(
  database: Database,
  {
    itemId,
    columns,
    at,
  }: { readonly itemId: string; readonly columns: readonly string[]; readonly at: EpochMicroseconds },
): Promise<void> {
  await sql`
    UPDATE record.log_content SET salt = NULL, was = was - ${[...columns]}::text[], erased_at = ${toTimestamptz(at)}
    WHERE kind = 'item' AND subject = ${itemId} AND revision < (
      SELECT max(revision) FROM record.log_entry WHERE kind = 'item' AND subject = ${itemId})`.execute(
    database,
  );
}

/** Replaces values of a revision whose words are erased; without its salt its content cannot be guessed. */
export async function writeErasedRevision(
  database: Database,
  kind: LoggedKind,
  {
    subject,
    revision,
    was,
    at,
  }: {
    readonly subject: string;
    readonly revision: number;
    readonly was: Readonly<Record<string, JsonValue>> | null;
    readonly at: EpochMicroseconds;
  },
): Promise<void> {
  await sql`
    UPDATE record.log_content SET salt = NULL, was = ${was === null ? null : JSON.stringify(was)}::jsonb,
      erased_at = ${toTimestamptz(at)}
    WHERE kind = ${kind} AND subject = ${subject} AND revision = ${revision}`.execute(database);
}

/**
 * Revisions of an edition whose words are erased from their rows. An edition from before the log has more revisions than
 * entries: the newest of both belong together.
 */
export async function eraseEditionSalts(
  database: Database,
  newest: { readonly kind: LoggedKind; readonly period: string; readonly revision: number },
  { revisions, at }: { readonly revisions: readonly number[]; readonly at: EpochMicroseconds },
): Promise<void> {
  const { kind, period, revision } = newest;
  await sql`
    UPDATE record.log_content SET salt = NULL, erased_at = ${toTimestamptz(at)}
    WHERE kind = ${kind} AND subject = ${period} AND revision + ${revision}::integer - (
      SELECT max(revision) FROM record.log_entry AS entry WHERE entry.kind = ${kind} AND entry.subject = ${period}
    ) = ANY (${[...revisions]}::integer[])`.execute(database);
}

/** A withdrawn item has no revisions any more, but the stories that it was in still count it at earlier times. */
export async function writeFormerStory(
  database: Database,
  itemIds: readonly string[],
  storyId: string,
): Promise<void> {
  if (itemIds.length === 0) return;
  await sql`
    INSERT INTO record.log_content (kind, subject, revision, was)
    SELECT 'item', subject, coalesce((
        SELECT max(revision) FROM record.log_entry AS entry
        WHERE entry.kind = 'item' AND entry.subject = given.subject), 0), jsonb_build_object('story_id', ${storyId}::text)
    FROM unnest(${[...itemIds]}::text[]) AS given (subject)
    ON CONFLICT (kind, subject, revision) DO UPDATE SET was = excluded.was || coalesce(log_content.was, '{}')`.execute(
    database,
  );
}
