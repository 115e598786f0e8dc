import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { SuiteContext } from '@daybook/evidence';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import type { SweepContext } from '../../../apps/server/src/foundation/engine/engine-declarations.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { createRecordWork } from '../../../apps/server/src/record/wiring.ts';
import { connectForBench } from '../measured-api.ts';
import { elapsedMs } from './elapsed.ts';
import { clockFromLoading } from './news-moment.ts';

const rounds = 5;

/** Writes the file of the newest completed month, and copies its items, by turns. */
export async function measureFile(
  context: SuiteContext,
  { urls }: { readonly urls: DatabaseUrls },
): Promise<void> {
  const { database, pool, close } = connectForBench(urls.application, 'bench archive');
  const { sweeps = [] } = createRecordWork({
    database,
    clock: clockFromLoading(),
    caches: [],
    logger: createLogger('silent', 'bench'),
    signer: null,
    baseUrl: 'https://daybook.example',
  });
  const write = sweeps.find(({ name }) => name === 'write-archive-files');
  if (write === undefined) throw new Error('no sweep writes the files of the archive');
  const [ours, bare]: [number[], number[]] = [[], []];
  let file = { month: '', items: 0, bytes: 0 };
  try {
    for (let round = 0; round < rounds; round += 1) {
      await pool.query('DELETE FROM record.archive_file');
      let transactions = 0;
      const ended = new AbortController();
      const once: Pick<SweepContext, 'transaction' | 'signal'> = {
        signal: ended.signal,
        transaction: async (work) => {
          transactions += 1;
          // The first one looks for changes, the second one writes a file.
          if (transactions === 2) ended.abort();
          return database.transaction().execute((transaction) => work(transaction));
        },
      };
      const ms = await elapsedMs(() => write.run(once as SweepContext));
      const { rows } = await pool.query<typeof file>(
        'SELECT month, item_count AS items, octet_length(content) AS bytes FROM record.archive_file',
      );
      file = rows[0] ?? file;
      ours.push((file.items / ms) * 1_000);
      bare.push((file.items / (await elapsedMs(() => copyMonth(pool, file.month)))) * 1_000);
    }
    await pool.query('DELETE FROM record.archive_file');
  } finally {
    await close();
  }
  context.figure({ name: 'items of the file', value: file.items, unit: 'items', goal: { atLeast: 1_000 } });
  context.figure({ name: 'bytes of the file for an item', value: file.bytes / file.items, unit: 'bytes' });
  context.ratio({
    name: 'writing the file of a month, beside COPY of its items',
    unit: 'items/s',
    ours,
    bare,
    goal: { atLeast: 0.5 },
  });
}

async function copyMonth(pool: pg.Pool, month: string): Promise<void> {
  const client = await pool.connect();
  const from = `timestamp '${month}-01' AT TIME ZONE 'Asia/Shanghai'`;
  const until = `(timestamp '${month}-01' + interval '1 month') AT TIME ZONE 'Asia/Shanghai'`;
  try {
    const rows = client.query(
      copyTo(
        `COPY (SELECT body FROM record.item WHERE selected AND discovered_at >= ${from} AND discovered_at < ${until}
          ORDER BY discovered_at, id) TO STDOUT`,
      ),
    );
    await pipeline(rows, new Writable({ write: (_chunk, _encoding, done) => done() }));
  } finally {
    client.release();
  }
}
