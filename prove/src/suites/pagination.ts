import { randomBytes } from 'node:crypto';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { startCluster } from '@daybook/local-postgres';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { createCursorKeys } from '../../../apps/server/src/foundation/pagination/cursor-keys.ts';
import { encodePageCursor } from '../../../apps/server/src/foundation/pagination/page-cursor.ts';
import { bigintRowId, uuidRowId } from '../../../apps/server/src/foundation/pagination/row-id.ts';
import type { AttackTally } from '../pagination/cursor-attack.ts';
import { attackCursor } from '../pagination/cursor-attack.ts';
import type { ListTable } from '../pagination/list-table.ts';
import { createListTable } from '../pagination/list-table.ts';
import type { WalkTally } from '../pagination/list-walk.ts';
import { LivingList } from '../pagination/list-walk.ts';

export const suite: Suite = {
  name: 'pagination',
  summary:
    'Lists read page by page in either direction skip and repeat no row while rows change, and tampered cursors get 400.',
  headline: 'uuid ids: rows that stayed',
  promise:
    'A list is read page by page, forward or backward, while rows are inserted and deleted between the pages; about forty rows share each microsecond. A walk contains every row that stayed exactly once and in one order, compared with a sorted array. A cursor that was changed, cut, or sent to another list, tenant or filter gets 400.',
  measuresNoTime: true,
  run: async (context) => {
    const cluster = await startCluster();
    const connection = connectDatabase({
      url: cluster.url(),
      name: 'prove pagination',
      connectionsMax: 2,
      statementTimeoutMs: 60_000,
      connectTimeoutMs: 10_000,
    });
    try {
      const random = seededRandom(100);
      const keys = createCursorKeys([randomBytes(32), randomBytes(32)]);
      const uuids = createIdSource({ clock: systemClock, randomBytes });
      const named = await createListTable(connection, {
        name: 'uuid',
        ids: uuidRowId<'entry'>(),
        nextId: () => uuids.next<'entry'>(),
        keys,
      });
      // Ids that do not rise with time, so that order by id alone would be another.
      let count = 0n;
      const nextId = (): bigint => ((count += 1n) * 2_654_435_761n) % 4_294_967_311n;
      const numbered = await createListTable(connection, { name: 'bigint', ids: bigintRowId, nextId, keys });
      await proveTable(context, named, random, connection.pool);
      await proveTable(context, numbered, random, connection.pool);
    } finally {
      await connection.close();
      await cluster.remove();
    }
  },
};

async function proveTable<RowId extends bigint | string>(
  context: SuiteContext,
  table: ListTable<RowId>,
  random: () => number,
  pool: { readonly query: (text: string) => Promise<unknown> },
): Promise<void> {
  const rows = context.quick ? 5_000 : 100_000;
  const tally: WalkTally = {
    pages: 0,
    inserted: 0,
    removed: 0,
    wrongPages: 0,
    skipped: 0,
    repeated: 0,
    outOfOrder: 0,
    stayed: 0,
  };
  const living = await LivingList.grow(table, rows, random, tally);
  await pool.query(`ANALYZE ${table.name}_list.entry`);
  context.note(`${rows} rows with ${table.name} ids: forward, backward, to and fro`);
  await living.walk('forward');
  await living.walk('backward');
  await living.wander(context.quick ? 200 : 2_000);
  reportWalk(context, table.name, tally);
  await reportDepth(context, table, living);
}

function reportWalk(context: SuiteContext, name: string, tally: WalkTally): void {
  const figure = (text: string, value: number, unit: string, exactly?: number): void =>
    context.figure({
      name: `${name} ids: ${text}`,
      value,
      unit,
      ...(exactly === undefined ? {} : { goal: { exactly } }),
    });
  figure('pages read', tally.pages, 'pages');
  figure('inserted between pages', tally.inserted, 'rows');
  figure('deleted between pages', tally.removed, 'rows');
  figure('rows that stayed through a walk', tally.stayed, 'rows');
  figure('of these skipped', tally.skipped, 'rows', 0);
  figure('rows shown twice in a walk', tally.repeated, 'rows', 0);
  figure('rows out of order', tally.outOfOrder, 'rows', 0);
  figure('pages, cursors or hasMore that differ from the model', tally.wrongPages, 'pages', 0);
}

/** A page in the middle costs what the first one does; its cursor is then attacked. */
async function reportDepth<RowId extends bigint | string>(
  context: SuiteContext,
  table: ListTable<RowId>,
  living: LivingList<RowId>,
): Promise<void> {
  const middle = living.model.at(living.model.size >>> 1);
  if (middle === undefined) throw new Error('the list is empty');
  const cursor = encodePageCursor(table.list, middle);
  context.figure({
    name: `${table.name} ids: blocks read by a page in the middle`,
    value: await table.blocksOf({ cursor, limit: 20 }),
    unit: 'blocks',
    goal: { atMost: 40 },
  });
  const tally: AttackTally = { tampered: 0, truncated: 0, foreign: 0, accepted: 0 };
  attackCursor(table.list, cursor, tally);
  context.figure({
    name: `${table.name} ids: tampered, cut and foreign cursors tried`,
    value: tally.tampered + tally.truncated + tally.foreign,
    unit: 'cursors',
  });
  context.figure({
    name: `${table.name} ids: of these not answered with 400`,
    value: tally.accepted,
    unit: 'cursors',
    goal: { exactly: 0 },
  });
}
