import { createHash } from 'node:crypto';

import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import { containsPattern } from '../../foundation/database/contains-pattern.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { EntryId } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';
import type { ReadableFiles } from './readable-files.ts';
import { isReadableFile } from './readable-files.ts';

type OrganizationId = callers.Organization['id'];

/** Texts whose numbers in the index are their own: a search reads the newest slice first, and stops at a full page. */
const sliceTexts = 16_384n;

/** In the order of an organization. */
export interface TextPosition {
  readonly slice: number;
  readonly orderedAt: EpochMicroseconds;
}

/** Each position once. One that is not used in the end costs nothing. */
export async function takeTextPosition(
  database: Database,
  organizationId: OrganizationId,
  now: EpochMicroseconds,
): Promise<TextPosition> {
  const { rows } = await sql<{ position: bigint; ordered_at: string }>`
    INSERT INTO storage.text_order AS present (organization_id, position, ordered_at)
    VALUES (${organizationId}, 0, ${toTimestamptz(now)})
    ON CONFLICT (organization_id) DO UPDATE SET position = present.position + 1,
      ordered_at = greatest(present.ordered_at + interval '1 microsecond', excluded.ordered_at)
    RETURNING position, ordered_at`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('no position was returned');
  return { slice: Number(row.position / sliceTexts), orderedAt: fromTimestamptz(row.ordered_at) };
}

/** The numbers of the index for texts of this slice. */
export function gramsOfSlice(
  grams: readonly number[],
  organizationId: OrganizationId,
  slice: number,
): readonly number[] {
  const own = createHash('sha256').update(`${organizationId}/${slice}`).digest().readInt32BE();
  return grams.map((gram) => gram ^ own);
}

export interface NewText {
  readonly key: string;
  readonly organizationId: OrganizationId;
  readonly position: TextPosition;
  readonly text: string;
  readonly isTruncated: boolean;
  readonly folded: string;
  readonly grams: readonly number[];
}

/**
 * In a transaction. The text counts toward the quota of the organization, of which it leaves what only owners and admins
 * can use. `gone` if the content has been condemned meanwhile, or was scanned with another result.
 */
export async function saveText(
  transaction: Database,
  text: NewText,
  { quotaBytes, usablePercent }: { readonly quotaBytes: number; readonly usablePercent: number },
): Promise<'saved' | 'gone' | 'no space'> {
  const { key, organizationId, position } = text;
  const live = await sql`
    SELECT FROM storage.derived WHERE key = ${key} AND EXISTS (
      SELECT FROM storage.blob WHERE blob.key = derived.key AND blob.stored_at IS NOT NULL
        AND blob.condemned_at IS NULL AND blob.scan_state IN ('clean', 'unscanned')
    ) FOR UPDATE OF derived`.execute(transaction);
  if (live.rows.length === 0) return 'gone';
  const bytes = Buffer.byteLength(text.text);
  const room = await sql`
    SELECT FROM storage.usage WHERE organization_id = ${organizationId}
      AND used_bytes + reserved_bytes + ${bytes}::bigint
        <= coalesce(quota_bytes, ${quotaBytes}::bigint) * ${usablePercent}::integer / 100
    FOR UPDATE`.execute(transaction);
  if (room.rows.length === 0) return 'no space';
  const saved = await transaction
    .insertInto('storage.content_text')
    .values({
      key,
      organization_id: organizationId,
      slice: position.slice,
      ordered_at: toTimestamptz(position.orderedAt),
      is_truncated: text.isTruncated,
      text: text.text,
      folded: text.folded,
      grams: [...gramsOfSlice(text.grams, organizationId, position.slice)],
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .execute();
  const added = saved.length === 0 ? 0 : bytes;
  await transaction
    .updateTable('storage.derived')
    .set(({ ref }) => ({ due_at: null, fault: null, bytes: sql<bigint>`${ref('bytes')} + ${added}::bigint` }))
    .where('key', '=', key)
    .execute();
  return 'saved';
}

export interface StoredText {
  readonly text: string;
  readonly isTruncated: boolean;
}

/** `pending`: a worker has not read the content yet. */
export async function findText(database: Database, key: string): Promise<StoredText | 'pending' | 'none'> {
  const row = await database
    .selectFrom('storage.derived as derived')
    .leftJoin('storage.content_text as content', 'content.key', 'derived.key')
    .select(['derived.due_at', 'content.text', 'content.is_truncated'])
    .where('derived.key', '=', key)
    .executeTakeFirst();
  if (row === undefined) return 'pending';
  if (row.text !== null) return { text: row.text, isTruncated: row.is_truncated === true };
  return row.due_at === null ? 'none' : 'pending';
}

export interface TextQuery {
  /** Folded like the texts; each must occur. */
  readonly terms: readonly string[];
  /** Numbers that every match has, without the slice. */
  readonly grams: readonly number[];
}

export interface SearchedTexts extends TextQuery {
  readonly organizationId: OrganizationId;
  readonly readable: readonly ReadableFiles[];
  /** Null: every project. */
  readonly projectIds: readonly ProjectId[] | null;
  /** Null: everywhere in the projects. */
  readonly folderId: EntryId | null;
}

export interface FoundText {
  readonly id: EntryId;
  readonly projectId: ProjectId;
  /** Of the text, as a page orders them. */
  readonly createdAt: EpochMicroseconds;
  /** Of the text, around the first place of each of the first terms. */
  readonly parts: readonly string[];
}

export type TextPageRequest = Pick<PageRequest<EntryId>, 'limit' | 'direction' | 'start'>;

const partsMax = 3;
const partCharsBefore = 200;
const partChars = 600;

/** Live files that the caller can read, newest text first. */
export async function searchTextRows(
  database: Database,
  search: SearchedTexts,
  request: TextPageRequest,
): Promise<readonly FoundText[]> {
  const slices = await selectSlices(database, search.organizationId, request);
  const { terms } = search;
  const isForward = request.direction === 'forward';
  const order = sql.raw(isForward ? 'DESC' : 'ASC');
  const beside = 'beside' in request.start ? request.start.beside : null;
  const isBeyond = sql.raw(isForward ? '<' : '>');
  const at = beside === null ? null : sql`${toTimestamptz(beside.createdAt)}::timestamptz`;
  const beyond =
    beside === null ? sql`true` : sql`(matched.ordered_at, file.id) ${isBeyond} (${at}, ${beside.id})`;
  const near = at === null ? sql`true` : sql`content.ordered_at ${isBeyond}= ${at}`;
  const { rows } = await sql<Omit<FoundText, 'createdAt'> & { readonly orderedAt: string }>`
    SELECT file.id, file.project_id AS "projectId", matched.ordered_at AS "orderedAt", shown.parts
    FROM ${queriesOf([search], search.organizationId, slices)}
    CROSS JOIN LATERAL ${matchesOf(search, { order, near })}
    CROSS JOIN LATERAL (${partsOf(terms, sql`checked.key`)}) AS shown
    WHERE ${beyond}
    LIMIT ${request.limit + 1} ${'skip' in request.start ? sql`OFFSET ${request.start.skip}` : sql``}`.execute(
    database,
  );
  return rows.map(({ orderedAt, ...row }) => ({ ...row, createdAt: fromTimestamptz(orderedAt) }));
}

/** For each query, the files that a search for it alone would find first: two statements for all queries. */
export async function searchTextsForEach(
  database: Database,
  search: Omit<SearchedTexts, keyof TextQuery> & { readonly queries: readonly TextQuery[] },
  filesPerQuery: number,
): Promise<readonly { readonly query: number; readonly id: EntryId }[]> {
  const slices = await selectSlices(database, search.organizationId, {
    direction: 'forward',
    start: { skip: 0 },
  });
  const { rows } = await sql<{ readonly place: bigint; readonly id: EntryId }>`
    SELECT wanted.place, found.id FROM ${queriesOf(search.queries, search.organizationId, slices)}
    CROSS JOIN LATERAL (
      SELECT file.id FROM ${matchesOf(search, { order: sql.raw('DESC'), near: sql`true` })} LIMIT ${filesPerQuery}
    ) AS found`.execute(database);
  return rows.map(({ place, id }) => ({ query: Number(place) - 1, id }));
}

/** For each query: its place, what the texts must match, and the numbers of each slice. */
function queriesOf(
  queries: readonly TextQuery[],
  organizationId: OrganizationId,
  slices: readonly number[],
): RawBuilder<unknown> {
  const written = queries.map(({ terms, grams }) => ({
    patterns: terms.map(containsPattern),
    slices: slices.map((slice) => ({ slice, numbers: gramsOfSlice(grams, organizationId, slice) })),
  }));
  return sql`(
    SELECT place, query -> 'slices' AS slices, ARRAY(SELECT jsonb_array_elements_text(query -> 'patterns')) AS patterns
    FROM jsonb_array_elements(${JSON.stringify(written)}::jsonb) WITH ORDINALITY AS one (query, place) OFFSET 0
  ) AS wanted`;
}

/**
 * The texts that match `wanted`, and the files that the caller can read. Permissions are compared for each match in turn,
 * until there are enough: a row that is not readable never takes the place of one that is. Each step depends on the one
 * before it, so the database takes them in this order, and reads a long text only for a row that gets this far.
 */
function matchesOf(
  search: Omit<SearchedTexts, keyof TextQuery>,
  { order, near }: { readonly order: RawBuilder<unknown>; readonly near: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`(
      SELECT (part -> 'slice')::integer AS slice,
        ARRAY(SELECT number::integer FROM jsonb_array_elements_text(part -> 'numbers') AS number) AS numbers
      FROM jsonb_array_elements(wanted.slices) AS part OFFSET 0
    ) AS part
    CROSS JOIN LATERAL (
      SELECT content.key, content.ordered_at FROM storage.content_text AS content
      WHERE content.grams @> part.numbers
        AND content.organization_id = ${search.organizationId} AND content.slice = part.slice AND ${near}
      ORDER BY content.ordered_at ${order} OFFSET 0
    ) AS matched
    CROSS JOIN LATERAL (
      SELECT content.key FROM storage.content_text AS content
      WHERE content.key = matched.key AND content.folded LIKE ALL (wanted.patterns) OFFSET 0
    ) AS checked
    CROSS JOIN LATERAL (${filesWithContent(search, sql`checked.key`)} ORDER BY entry.id ${order}) AS file`;
}

/** Folding moves no place of most texts; of the others, the parts are shown folded. */
function partsOf(terms: readonly string[], key: RawBuilder<unknown>) {
  return sql`
    SELECT ARRAY(
      SELECT substr(content.shown, greatest(strpos(content.folded, term) - ${partCharsBefore}::integer, 1),
        ${partChars}::integer)
      FROM unnest(${terms.slice(0, partsMax)}::text[]) AS term
    ) AS parts
    FROM (
      SELECT one.folded, CASE char_length(one.text) WHEN char_length(one.folded) THEN one.text ELSE one.folded END AS shown
      FROM storage.content_text AS one WHERE one.key = ${key} OFFSET 0
    ) AS content`;
}

/** The folders above `entry`, as text, and whether one of them is in the trash. */
const foldersAbove = sql`
  WITH RECURSIVE line AS (
    SELECT above.id, above.parent_id, above.trashed_at FROM storage.entry AS above
    WHERE above.project_id = entry.project_id AND above.id = entry.parent_id
    UNION ALL
    SELECT above.id, above.parent_id, above.trashed_at
    FROM line CROSS JOIN LATERAL (
      SELECT id, parent_id, trashed_at FROM storage.entry AS one
      WHERE one.project_id = entry.project_id AND one.id = line.parent_id OFFSET 0
    ) AS above
  )
  SELECT coalesce(array_agg(id::text), '{}') AS folders, bool_or(trashed_at IS NOT NULL) AS trashed FROM line`;

/** Live files that have this content now, and that the caller can read. */
function filesWithContent(
  { readable, projectIds, folderId }: Pick<SearchedTexts, 'readable' | 'projectIds' | 'folderId'>,
  key: RawBuilder<unknown>,
) {
  const inProjects =
    projectIds === null ? sql`true` : sql`blob.project_id = ANY (${[...projectIds]}::uuid[])`;
  const inFolder = folderId === null ? sql`true` : sql`${folderId} = ANY (place.folders)`;
  return sql`
    SELECT entry.id, entry.project_id
    FROM storage.blob
      JOIN storage.project ON project.id = blob.project_id AND project.trashed_at IS NULL
      JOIN storage.version ON version.project_id = blob.project_id AND version.blob_key = blob.key
      JOIN storage.entry ON entry.project_id = version.project_id AND entry.id = version.file_id
        AND entry.version = version.number AND entry.trashed_at IS NULL
      CROSS JOIN LATERAL (${foldersAbove}) AS place
    WHERE blob.key = ${key} AND blob.condemned_at IS NULL AND blob.scan_state IN ('clean', 'unscanned')
      AND place.trashed IS NOT TRUE AND ${inProjects} AND ${inFolder}
      AND ${isReadableFile(readable, {
        projectId: sql`entry.project_id`,
        id: sql`entry.id`,
        folders: sql`place.folders`,
      })}`;
}

/** The text of the current version of a live file that the caller can read now. */
export interface ReadableText {
  readonly id: EntryId;
  readonly name: string;
  readonly version: number;
  readonly changedAt: EpochMicroseconds;
  readonly text: string;
}

/**
 * In the order of the ids, without those that the caller cannot read or that have no text. After `bytesMax`, no further
 * text is read.
 */
export async function findReadableTexts(
  database: Database,
  { organizationId, readable, projectIds }: Pick<SearchedTexts, 'organizationId' | 'readable' | 'projectIds'>,
  ids: readonly EntryId[],
  bytesMax: number,
): Promise<readonly ReadableText[]> {
  const inProjects =
    projectIds === null ? sql`true` : sql`entry.project_id = ANY (${[...projectIds]}::uuid[])`;
  const { rows } = await sql<Omit<ReadableText, 'changedAt'> & { readonly changedAt: string }>`
    SELECT found.id, found.name, found.version, found."changedAt", content.text
    FROM (
      SELECT entry.id, entry.name, entry.version, entry.updated_at AS "changedAt", content.key, wanted.place,
        sum(octet_length(content.text)) OVER (ORDER BY wanted.place) - octet_length(content.text) AS bytes_before
      FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS wanted (id, place)
        JOIN storage.entry ON entry.id = wanted.id AND entry.trashed_at IS NULL
        JOIN storage.project ON project.id = entry.project_id AND project.trashed_at IS NULL
        JOIN storage.version ON version.project_id = entry.project_id AND version.file_id = entry.id
          AND version.number = entry.version
        JOIN storage.blob ON blob.project_id = version.project_id AND blob.key = version.blob_key
          AND blob.condemned_at IS NULL AND blob.scan_state IN ('clean', 'unscanned')
        JOIN storage.content_text AS content ON content.key = blob.key
        CROSS JOIN LATERAL (${foldersAbove}) AS place
      WHERE project.organization_id = ${organizationId}
        AND place.trashed IS NOT TRUE AND ${inProjects}
        AND ${isReadableFile(readable, {
          projectId: sql`entry.project_id`,
          id: sql`entry.id`,
          folders: sql`place.folders`,
        })}
    ) AS found
      JOIN storage.content_text AS content ON content.key = found.key
    WHERE found.bytes_before <= ${bytesMax}
    ORDER BY found.place`.execute(database);
  return rows.map((row) => ({ ...row, changedAt: fromTimestamptz(row.changedAt) }));
}

/** In the order of the page, from its start. */
async function selectSlices(
  database: Database,
  organizationId: OrganizationId,
  { direction, start }: Omit<TextPageRequest, 'limit'>,
): Promise<readonly number[]> {
  const at = 'beside' in start ? toTimestamptz(start.beside.createdAt) : null;
  const { rows } = await sql<{ oldest: number | null; newest: number; nearest: number | null }>`
    SELECT ${sliceOf(organizationId, sql`true`, 'ASC')} AS oldest, ${sliceOf(organizationId, sql`true`, 'DESC')} AS newest,
      ${sliceOf(organizationId, sql`ordered_at <= ${at}::timestamptz`, 'DESC')} AS nearest`.execute(database);
  const { oldest = null, newest = 0, nearest = null } = rows[0] ?? {};
  if (oldest === null) return [];
  const isForward = direction === 'forward';
  const from = at === null ? (isForward ? newest : oldest) : (nearest ?? oldest);
  return isForward ? range(oldest, from).reverse() : range(from, newest);
}

function sliceOf(organizationId: OrganizationId, where: RawBuilder<unknown>, order: 'ASC' | 'DESC') {
  return sql`(SELECT slice FROM storage.content_text WHERE organization_id = ${organizationId} AND ${where}
    ORDER BY ordered_at ${sql.raw(order)} LIMIT 1)`;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
