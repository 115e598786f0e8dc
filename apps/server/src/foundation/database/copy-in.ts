import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import type { Database } from './database.ts';
import type { DB } from './generated/database-types.ts';

export type CopyValue = string | number | boolean | null | Buffer | readonly number[];

export interface CopyConnection {
  readonly database: Database;
  /** Loads rows with COPY, inside the transaction that `database` has open. */
  readonly copyInto: (table: CopyTarget, rows: Iterable<readonly CopyValue[]>) => Promise<void>;
}

/** Names from the program, never from data. */
export interface CopyTarget {
  readonly table: keyof DB;
  readonly columns: readonly string[];
}

/** COPY needs the driver's own connection; queries share it, so that both run in one transaction. */
export async function withCopyConnection<Value>(
  pool: pg.Pool,
  work: (connection: CopyConnection) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  const singleClientPool = {
    options: {},
    connect: () => Promise.resolve(nonReleasingClient(client)),
    end: () => Promise.resolve(),
  };
  const database = new Kysely<DB>({ dialect: new PostgresDialect({ pool: singleClientPool }) });
  try {
    return await work({
      database,
      copyInto: async ({ table, columns }, rows) => {
        const stream = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
        await pipeline(Readable.from(chunksOf(rows)), stream);
      },
    });
  } finally {
    await database.destroy();
    client.release();
  }
}

function nonReleasingClient(client: pg.PoolClient): pg.PoolClient {
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'release') return () => {};
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const chunkChars = 65_536;

function* chunksOf(rows: Iterable<readonly CopyValue[]>): Generator<Buffer> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${row.map(copyText).join('\t')}\n`;
    if (chunk.length < chunkChars) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export function copyText(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string')
    return value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '');
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'number') return String(value);
  return Buffer.isBuffer(value) ? `\\\\x${value.toString('hex')}` : `{${value.join(',')}}`;
}
