import { randomBytes } from 'node:crypto';

import type { SuiteContext } from '@daybook/evidence';
import type pg from 'pg';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { fromTimestamptz } from '../../../apps/server/src/foundation/database/timestamptz.ts';
import { createCursorKeys } from '../../../apps/server/src/foundation/pagination/cursor-keys.ts';
import type { PageSort } from '../../../apps/server/src/foundation/pagination/page-cursor.ts';
import type { PageRequest } from '../../../apps/server/src/foundation/pagination/page-request.ts';
import { readPageRequest } from '../../../apps/server/src/foundation/pagination/page-request.ts';
import { uuidRowId } from '../../../apps/server/src/foundation/pagination/row-id.ts';
import { findInnermost } from '../../../apps/server/src/storage/files/garbage-store.ts';
import {
  findLineage,
  readHeight,
  selectChildren,
} from '../../../apps/server/src/storage/folders/entry-store.ts';
import type { EntryId } from '../../../apps/server/src/storage/folders/entry.ts';
import { withMeasuredDatabase } from '../measured-database.ts';
import { touchedBuffersOf } from '../touched-buffers.ts';
import type { FilledFolder } from './filled-project.ts';
import { fillProject } from './filled-project.ts';

const filesOfSmall = 1_000;

/** Buffers that a page of a large folder, and a walk from it, touch beside a small folder in the same project. */
export async function measureFolderPages(context: SuiteContext): Promise<void> {
  const [files, filesOfLarge] = context.quick ? [50_000, 20_000] : [10_000_000, 1_000_000];
  const settings = { maintenance_work_mem: '256MB', max_wal_size: '4GB' };
  await withMeasuredDatabase(settings, async (owner, { pool }) => {
    const { small, large } = await fillProject(owner.pool, { files, filesOfSmall, filesOfLarge });
    for (const sort of ['createdAt', 'name'] as const) {
      for (const place of ['first', 'middle'] as const) {
        context.ratio({
          name: `buffers of the ${place} page by ${sort}, folder of ${filesOfLarge} among ${files}`,
          unit: 'buffers',
          ours: [await buffersOfPage(pool, large, sort, place)],
          bare: [await buffersOfPage(pool, small, sort, place)],
          goal: { atMost: 1.2 },
        });
      }
    }
    await pretendSmallProjects(owner.pool);
    for (const [name, walk] of Object.entries(walks)) {
      context.figure({
        name: `buffers of ${name}, folder of ${filesOfLarge} among ${files}, to PostgreSQL a small project`,
        value: await touchedBuffersOf(pool, (database) => walk(database, large)),
        unit: 'buffers',
        goal: { atMost: 40 },
      });
    }
  });
}

const walks: Readonly<Record<string, (database: Database, folder: FilledFolder) => Promise<unknown>>> = {
  'the ancestors of a folder': (database, { projectId, folderId }) =>
    findLineage(database, projectId, folderId),
  'the folders below one': (database, { projectId, folderId }) =>
    readHeight(database, { projectId, id: folderId }),
  'the first folder to remove below one': (database, { projectId, folderId }) =>
    findInnermost(database, { projectId, entryId: folderId, kind: 'folder' }),
};

/** What statistics say of a project that has grown since, and what a prepared statement is planned for. */
async function pretendSmallProjects(owner: pg.Pool): Promise<void> {
  const entriesOfEach = 2;
  await owner.query("SELECT pg_clear_attribute_stats('storage', 'entry', 'project_id', false)");
  await owner.query(
    `SELECT pg_restore_attribute_stats('schemaname', 'storage', 'relname', 'entry', 'attname', 'project_id',
       'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', $1::real)`,
    [-1 / entriesOfEach],
  );
}

async function buffersOfPage(
  pool: pg.Pool,
  folder: FilledFolder,
  sort: PageSort,
  place: 'first' | 'middle',
): Promise<number> {
  const first = firstPage(sort);
  const request = place === 'first' ? first : { ...first, start: await middleOf(pool, folder, sort) };
  const everything = { folder: 'all', file: 'all' } as const;
  return touchedBuffersOf(pool, (database) => selectChildren(database, folder, everything, request));
}

function firstPage(sort: PageSort): PageRequest<EntryId> {
  const keys = createCursorKeys([randomBytes(32)]);
  const list = { keys, ids: uuidRowId<'entry'>(), route: 'listChildren', tenant: '', filters: null };
  return readPageRequest({ sort }, list);
}

/** Where a client is that has walked through half of the folder. */
async function middleOf(
  pool: pg.Pool,
  { projectId, folderId, files }: FilledFolder,
  sort: PageSort,
): Promise<PageRequest<EntryId>['start']> {
  const order = sort === 'name' ? 'folded_name' : 'created_at DESC';
  const { rows } = await pool.query<{ id: EntryId; created_at: string; folded_name: string }>(
    `SELECT id, created_at, folded_name FROM storage.entry WHERE project_id = $1 AND parent_id = $2
     ORDER BY ${order} OFFSET $3 LIMIT 1`,
    [projectId, folderId, Math.floor(files / 2)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the folder is empty');
  return {
    beside: { id: row.id, createdAt: fromTimestamptz(row.created_at), sortName: row.folded_name },
  };
}
