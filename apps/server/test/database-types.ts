import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

import { migrate } from '../src/foundation/database/migrate.ts';
import { readMigrations } from '../src/foundation/database/migration-files.ts';

const run = promisify(execFile);

/** Reads the catalog of an empty, migrated database and writes its TypeScript types. */
export async function generateDatabaseTypes(
  url: (database?: string) => string,
  outFile: string,
): Promise<void> {
  const name = 'daybook_types';
  await onServer(url(), `DROP DATABASE IF EXISTS ${name}`);
  await onServer(url(), `CREATE DATABASE ${name}`);
  await migrate(url(name), await readMigrations());
  const command = join(dirname(createRequire(import.meta.url).resolve('kysely-codegen')), 'cli', 'bin.js');
  await run(process.execPath, [
    command,
    '--dialect=postgres',
    `--url=${url(name)}`,
    `--out-file=${outFile}`,
    '--date-parser=string',
    '--type-mapping={"timestamptz":"string","int8":"bigint"}',
    '--exclude-pattern=dbos.*',
    '--log-level=error',
  ]);
  await onServer(url(), `DROP DATABASE ${name}`);
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
