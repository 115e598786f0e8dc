import { randomUUID } from 'node:crypto';

import { createWorld } from '@daybook/newswire';
import type pg from 'pg';

import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import { gramsOfText, normalizeSearchText } from '../../../apps/server/src/foundation/search-text.ts';
import type { TextPosition } from '../../../apps/server/src/storage/derived/text-store.ts';
import { gramsOfSlice } from '../../../apps/server/src/storage/derived/text-store.ts';
import { loadedAtMs } from '../news/news-moment.ts';

const batch = 1_000;
const filesPerDay = 10_000;
/** As in `text-store.ts`. */
const sliceTexts = 16_384;

type OrganizationId = Parameters<typeof gramsOfSlice>[1];

/** An organization with so many files, each a report of the simulated world with its text. Returns its id. */
export async function fillTexts(pool: pg.Pool, files: number): Promise<OrganizationId> {
  const id = randomUUID() as unknown as OrganizationId;
  await dropReferences(pool);
  await pool.query(
    `WITH organization AS (
       INSERT INTO identity.organization (id, key, name, created_at) VALUES ($1, 'bench', 'bench', now()) RETURNING id
     )
     INSERT INTO storage.project
       (id, organization_id, workspace_id, name, folded_name, created_by, created_at, updated_at)
     SELECT id, id, id, 'bench', 'bench', id, now(), now() FROM organization`,
    [id],
  );
  let rows: FileRow[] = [];
  for (const row of fileRows(id, files)) {
    rows.push(row);
    if (rows.length < batch) continue;
    await insertFiles(pool, id, rows);
    rows = [];
  }
  await insertFiles(pool, id, rows);
  await pool.query('VACUUM (ANALYZE) storage.entry, storage.blob, storage.version, storage.content_text');
  return id;
}

/** Without a workspace and a creator: only the tables that a search reads are filled. */
async function dropReferences(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS statement FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'storage'::regnamespace AND conparentid = 0`,
  );
  for (const { statement } of rows) await pool.query(statement);
}

interface FileRow {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly folded: string;
  readonly grams: readonly number[];
  readonly slice: TextPosition['slice'];
  readonly orderedAt: string;
}

function* fileRows(organizationId: OrganizationId, files: number): Generator<FileRow> {
  let number = 0;
  for (const { title, summary, body } of filedWorld(files).dispatches()) {
    if (number === files) return;
    const text = `${title}\n\n${summary}\n\n${body()}`;
    const folded = normalizeSearchText(text);
    const slice = Math.floor(number / sliceTexts);
    yield {
      id: randomUUID(),
      name: `report ${number}.txt`,
      text,
      folded,
      grams: gramsOfSlice(gramsOfText(folded), organizationId, slice),
      slice,
      orderedAt: new Date(loadedAtMs - dayMs + number).toISOString(),
    };
    number += 1;
  }
}

/** The world that the files report about; questions are drawn from it. */
export function filedWorld(files: number): ReturnType<typeof createWorld> {
  const days = Math.ceil(files / filesPerDay) + 1;
  return createWorld({ seed: 9, startsAt: loadedAtMs - days * dayMs, days, itemsPerDay: filesPerDay });
}

async function insertFiles(pool: pg.Pool, organizationId: string, rows: readonly FileRow[]): Promise<void> {
  if (rows.length === 0) return;
  const of = <Name extends keyof FileRow>(name: Name): readonly FileRow[Name][] =>
    rows.map((row) => row[name]);
  await pool.query(
    `WITH file AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS file (id, name)),
     entry AS (
       INSERT INTO storage.entry
         (project_id, id, kind, name, folded_name, version, created_by, created_at, updated_at)
       SELECT $1, id, 'file', name, name, 1, $1, now(), now() FROM file
     ), blob AS (
       INSERT INTO storage.blob (project_id, key, size, sha256, created_at, stored_at, scan_state)
       SELECT $1, replace(id::text, '-', ''), 1000, sha256('x'), now(), now(), 'clean' FROM file
     )
     INSERT INTO storage.version (project_id, file_id, number, id, blob_key, media_type, created_by, created_at)
     SELECT $1, id, 1, id, replace(id::text, '-', ''), 'text/plain', $1, now() FROM file`,
    [organizationId, of('id'), of('name')],
  );
  await pool.query(
    `INSERT INTO storage.content_text (key, organization_id, slice, ordered_at, is_truncated, text, folded, grams)
     SELECT id, $1, slice, ordered_at, false, text, folded, grams::integer[]
     FROM unnest($2::text[], $3::integer[], $4::timestamptz[], $5::text[], $6::text[], $7::text[])
       AS file (id, slice, ordered_at, text, folded, grams)`,
    [
      organizationId,
      of('id').map((id) => id.replaceAll('-', '')),
      of('slice'),
      of('orderedAt'),
      of('text'),
      of('folded'),
      rows.map(({ grams }) => `{${grams.join()}}`),
    ],
  );
}
