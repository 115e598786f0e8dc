import { randomUUID } from 'node:crypto';

import type pg from 'pg';

import type { EntryId } from '../../../apps/server/src/storage/folders/entry.ts';
import type { ProjectId } from '../../../apps/server/src/storage/projects/project.ts';

export interface FilledFolder {
  readonly projectId: ProjectId;
  readonly folderId: EntryId;
  readonly files: number;
}

const tables = ['entry', 'version', 'blob'];

/**
 * A project of so many files, each with a version and its bytes: a small folder, a large one in it, and the others in
 * folders of a thousand. The files of a folder were stored one after the other, with unordered names.
 */
export async function fillProject(
  pool: pg.Pool,
  counts: { readonly files: number; readonly filesOfSmall: number; readonly filesOfLarge: number },
): Promise<{ readonly small: FilledFolder; readonly large: FilledFolder }> {
  const { files, filesOfSmall, filesOfLarge } = counts;
  const projectId = randomUUID() as unknown as ProjectId;
  const restore = await dropIndexes(pool);
  await pool.query(
    `WITH organization AS (
       INSERT INTO identity.organization (id, key, name, created_at) VALUES ($1, 'bench', 'bench', now()) RETURNING id
     )
     INSERT INTO storage.project
       (id, organization_id, workspace_id, name, folded_name, created_by, created_at, updated_at)
     SELECT id, id, id, 'bench', 'bench', id, now(), now() FROM organization`,
    [projectId],
  );
  const [small, large] = [1, 2].map(
    (number) => `01970000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  );
  await insertFiles(pool, [projectId, files, small, filesOfSmall, large, filesOfLarge]);
  for (const statement of restore) await pool.query(statement);
  await pool.query(`VACUUM (ANALYZE) ${tables.map((table) => `storage.${table}`).join(', ')}`);
  const folder = (id: string | undefined, count: number): FilledFolder => ({
    projectId,
    folderId: id as unknown as EntryId,
    files: count,
  });
  return { small: folder(small, filesOfSmall), large: folder(large, filesOfLarge) };
}

/** The large folder is filled in the middle of all, the small one right before it. */
async function insertFiles(pool: pg.Pool, values: readonly unknown[]): Promise<void> {
  const uuid = (prefix: string, number: string): string =>
    `('${prefix}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
  const [id, at] = [uuid('01980000', 'n'), "'2026-01-01T00:00:00Z'::timestamptz + n * interval '1 s'"];
  const rows = 'generate_series(1, $2::bigint) AS n';
  await pool.query(
    `INSERT INTO storage.entry
       (project_id, id, parent_id, kind, name, folded_name, version, created_by, created_at, updated_at)
     SELECT $1, ${id}, CASE
         WHEN n > $2::bigint / 2 AND n <= $2::bigint / 2 + $6::bigint THEN $5::uuid
         WHEN n > $2::bigint / 2 - $4::bigint AND n <= $2::bigint / 2 THEN $3::uuid
         ELSE ${uuid('01960000', 'n / 1000')} END,
       'file', md5(n::text) || '.pdf', md5(n::text) || '.pdf', 1, $1, ${at}, ${at} FROM ${rows}`,
    [...values],
  );
  const [project, files, small, , large] = values;
  await pool.query(
    `INSERT INTO storage.entry
       (project_id, id, parent_id, kind, name, folded_name, created_by, created_at, updated_at)
     SELECT $1, id, nullif($2::uuid, id), 'folder', id::text, id::text, $1, now(), now() FROM unnest($3::uuid[]) AS id`,
    [project, small, [small, large]],
  );
  await pool.query(
    `INSERT INTO storage.blob (project_id, key, size, sha256, created_at, stored_at)
     SELECT $1, md5('blob ' || n), 65536, sha256('x'), ${at}, ${at} FROM ${rows}`,
    [project, files],
  );
  await pool.query(
    `INSERT INTO storage.version (project_id, file_id, number, id, blob_key, media_type, created_by, created_at)
     SELECT $1, ${id}, 1, ${id}, md5('blob ' || n), 'application/pdf', $1, ${at} FROM ${rows}`,
    [project, files],
  );
}

/**
 * Rows are written without the indexes, which are built afterwards, and without a log; what they refer to beside each
 * other does not exist. Returns a function that builds the indexes again: all but the one that searches names.
 */
async function dropIndexes(pool: pg.Pool): Promise<readonly string[]> {
  const references = await pool.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS statement FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'storage'::regnamespace`,
  );
  const indexes = await pool.query<{ dropping: string; making: string; searches: boolean }>(
    `SELECT pg_get_indexdef(indexrelid) AS making, amname = 'gin' AS searches,
       CASE WHEN conname IS NULL THEN format('DROP INDEX %s', indexrelid::regclass)
         ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', indrelid::regclass, conname) END AS dropping
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
       LEFT JOIN pg_constraint ON conindid = indexrelid AND contype = 'p'
     WHERE indrelid = ANY ($1::regclass[])`,
    [tables.map((table) => `storage.${table}`)],
  );
  const unlogged = tables.map((table) => `ALTER TABLE storage.${table} SET UNLOGGED`);
  const dropped = indexes.rows.map(({ dropping }) => dropping);
  for (const statement of [...references.rows.map((row) => row.statement), ...dropped, ...unlogged])
    await pool.query(statement);
  return indexes.rows.filter(({ searches }) => !searches).map(({ making }) => making);
}
