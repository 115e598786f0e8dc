import { execFile } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

export const plannerStatistics = 'pg_catalog.pg_statistic';

/** Words and salts to search for. */
export interface Sought {
  readonly words: readonly string[];
  readonly salts: readonly Buffer[];
}

/** Statistics are listed by the column that they describe. */
const columnOf: Readonly<Record<string, string>> = {
  [plannerStatistics]: `format('${plannerStatistics} of %s.%I', starelid::regclass, (
    SELECT attname FROM pg_attribute WHERE attrelid = starelid AND attnum = staattnum))`,
};

/** Tables of all schemas, statistics of the planner included, with the number of rows that contain something sought. */
export async function tablesWith(superuserUrl: string, { words, salts }: Sought): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace AS place ON place.oid = relnamespace
       WHERE relkind IN ('r', 'm') AND (nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'
         OR relname = 'pg_statistic') ORDER BY 1`,
    );
    const patterns = [...words, ...salts.map((salt) => salt.toString('hex'))].map((one) => `%${one}%`);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ name: string; count: string }>(
        `SELECT ${columnOf[name] ?? `'${name}'`} AS name, count(*) FROM ${name} AS one
         WHERE one::text ILIKE ANY ($1) GROUP BY 1 ORDER BY 1`,
        [patterns],
      );
      found.push(...rows.map((row) => `${row.name} ${row.count}`));
    }
    return found;
  } finally {
    await client.end();
  }
}

/** How often a dump contains something sought; null without the program. */
export async function dumpMatches(superuserUrl: string, { words, salts }: Sought): Promise<number | null> {
  const dumped = await promisify(execFile)('pg_dump', ['--no-password', superuserUrl], {
    maxBuffer: 1 << 30,
  }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    // An older program refuses a newer server.
    if (String((error as { stderr?: unknown }).stderr).includes('version mismatch')) return null;
    throw error;
  });
  if (dumped === null) return null;
  const text = dumped.stdout.toLowerCase();
  const sought = [...words, ...salts.map((salt) => salt.toString('hex'))];
  return sought.filter((one) => text.includes(one.toLowerCase())).length;
}

export interface FilesWith {
  readonly tables: readonly string[];
  /** Of the write-ahead log. */
  readonly log: readonly string[];
}

/** Files in the folder of a server whose bytes contain something sought. */
export async function filesWith(data: string, { words, salts }: Sought): Promise<FilesWith> {
  const sought = [...words.map((word) => Buffer.from(word)), ...salts];
  const [tables, log]: [string[], string[]] = [[], []];
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (!(await containsAny(path, sought))) continue;
    if (path.includes('/pg_wal/')) log.push(entry.name);
    else tables.push(path.slice(data.length + 1));
  }
  return { tables, log };
}

const chunkBytes = 1 << 22;
const soughtBytesMax = 256;

async function containsAny(path: string, sought: readonly Buffer[]): Promise<boolean> {
  const file = await open(path, 'r').catch((error: unknown) => {
    // The server removes files meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return false;
  try {
    const buffer = Buffer.alloc(chunkBytes + soughtBytesMax);
    let [at, held] = [0, 0];
    for (;;) {
      const { bytesRead } = await file.read(buffer, held, chunkBytes, at);
      if (bytesRead === 0) return false;
      const end = held + bytesRead;
      const read = buffer.subarray(0, end);
      if (sought.some((one) => read.includes(one))) return true;
      // What is sought can begin in one part and end in the next.
      held = Math.min(end, soughtBytesMax);
      buffer.copy(buffer, 0, end - held, end);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
