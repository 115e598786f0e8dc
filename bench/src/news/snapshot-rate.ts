import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { SuiteContext } from '@daybook/evidence';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import type { KeepAliveClient } from '../keep-alive-client.ts';
import { createKeepAliveClient } from '../keep-alive-client.ts';
import { connectForBench } from '../measured-api.ts';
import { elapsedMs } from './elapsed.ts';
import { startNewsChild } from './news-child.ts';

const pageRows = 1000;
const rounds = 10;
const megabyte = 1024 * 1024;

/** The selected set as a mirror reads it, a tenth at a time, and each tenth with COPY: the same rows, side by side. */
export async function measureSnapshot(
  context: SuiteContext,
  urls: DatabaseUrls,
  selected: number,
): Promise<void> {
  const { pool, close } = connectForBench(urls.newsReader, 'bench snapshot');
  const daybook = await startNewsChild(urls);
  const client = createKeepAliveClient(daybook.address);
  const [ours, bare, resident]: [number[], number[], number[]] = [[], [], []];
  try {
    const rowsPerRound = selected / rounds;
    const bounds = await readBounds(pool, rowsPerRound);
    const read = pageReader(client);
    for (let round = 0; round < rounds; round += 1) {
      const span = [bounds[round - 1] ?? null, bounds[round] ?? ''] as const;
      const mirror = async () => ours.push(await rowRate(rowsPerRound, () => read(rowsPerRound)));
      const copy = async () => bare.push(await rowRate(rowsPerRound, () => copyBodies(pool, span)));
      for (const run of round % 2 === 0 ? [mirror, copy] : [copy, mirror]) await run();
      resident.push((await daybook.usage()).residentBytes / megabyte);
    }
  } finally {
    client.close();
    await daybook.stop();
    await close();
  }
  const name = `snapshot of ${selected.toLocaleString('en-US')} selected items`;
  context.ratio({
    name: `${name}, beside COPY`,
    unit: 'rows/s',
    ours,
    bare,
    goal: { atLeast: 0.5 },
    reached: 0.25,
  });
  const [warm, later] = [resident.slice(0, rounds / 2), resident.slice(rounds / 2)];
  const [first, second] = [Math.max(...warm), Math.max(...later)];
  context.figure({ name: `${name}, highest memory of the api in its first half`, value: first, unit: 'MB' });
  context.figure({
    name: `${name}, memory gained in its second half`,
    value: Math.max(0, second - first),
    unit: 'MB',
    goal: { atMost: 64 },
  });
}

/** Reads on where it stopped. */
function pageReader(client: KeepAliveClient): (rows: number) => Promise<number> {
  let next: string | null = '';
  return async (rows) => {
    let count = 0;
    while (count < rows && next !== null) {
      const page: string = next === '' ? '' : `&page=${next}`;
      const body = await client.read(`/api/v1/selected/snapshot?limit=${pageRows}${page}`);
      // The text before the items is enough; reading the items is the mirror's own work.
      const start = JSON.parse(`${body.toString('utf8', 0, body.indexOf(',"items":'))}}`) as {
        readonly count: number;
        readonly nextPage: string | null;
      };
      count += start.count;
      next = start.nextPage;
    }
    return count;
  };
}

/** The last id of each round. */
async function readBounds(pool: pg.Pool, rowsPerRound: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM record.item WHERE selected) AS numbered
     WHERE nth % $1 = 0 ORDER BY id LIMIT $2`,
    [rowsPerRound, rounds],
  );
  return rows.map(({ id }) => id);
}

async function copyBodies(pool: pg.Pool, [after, until]: readonly [string | null, string]): Promise<number> {
  const client = await pool.connect();
  try {
    // Ids come from the database itself and contain no character that needs a quote.
    const from = after === null ? '' : `AND id > '${after}'`;
    const text = `COPY (SELECT body FROM record.item WHERE selected ${from} AND id <= '${until}') TO STDOUT`;
    const stream = client.query(copyTo(text));
    await pipeline(stream, new Writable({ write: (_chunk, _encoding, done) => done() }));
    return stream.rowCount;
  } finally {
    client.release();
  }
}

async function rowRate(expected: number, work: () => Promise<number>): Promise<number> {
  let rows = 0;
  const ms = await elapsedMs(async () => {
    rows = await work();
  });
  if (rows !== expected) throw new Error(`${rows} rows instead of ${expected}`);
  return (rows / ms) * 1000;
}
