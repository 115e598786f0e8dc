import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from './database.ts';
import { createTestDatabase } from './database.ts';

const server = fileURLToPath(new URL('../', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const tableNames = `
  SELECT relnamespace::regnamespace || '.' || relname AS name FROM pg_class
  WHERE relkind IN ('r', 'p') AND NOT relispartition
    AND relnamespace::regnamespace::text !~ '^(pg_|information_schema$)'`;

test('names for each table of the database when its rows are deleted, or why they are not', async () => {
  const rows = await database.asSuperuser(tableNames);
  const named = (await readRows()).flatMap(({ tables }) => tables);
  expect(rows.length).toBeGreaterThan(100);
  expect(named.toSorted()).toEqual(rows.map((row) => String(row['name'])).toSorted());
});

test('gives a term, an owner or a reason in every row', async () => {
  const incomplete = (await readRows()).filter(({ cells }) => cells.includes(''));
  expect(incomplete).toEqual([]);
});

test('says of no table that it is deleted after a term unless code deletes from it', async () => {
  const cascading = await database.asSuperuser(
    `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint WHERE confdeltype = 'c'`,
  );
  const statements = await readSources();
  const isDeleted = (name: string): boolean => {
    // Tables of identity are listed by their short names beside their terms.
    const [, short = ''] = name.split('.');
    const forms = [`DELETE FROM ${name}\\b`, `deleteFrom\\('${name}'\\)`, `table: '(?:${name}|${short})'`];
    return new RegExp(forms.join('|')).test(statements) || cascading.some((row) => row['name'] === name);
  };
  const named = (await readRows('Deleted after a term')).flatMap(({ tables }) => tables);
  // The engine names the tables of its SDK in one list.
  const own = named.filter((name) => !name.startsWith('dbos.'));
  expect(own.length).toBeGreaterThan(40);
  expect(own.filter((name) => !isDeleted(name))).toEqual([]);
});

async function readSources(): Promise<string> {
  const texts: string[] = [];
  for await (const file of glob(['src/**/*.ts', 'migrations/*.sql'], { cwd: server }))
    if (!file.endsWith('.test.ts')) texts.push(await readFile(join(server, file), 'utf8'));
  return texts.join('\n');
}

interface GuideRow {
  readonly tables: readonly string[];
  readonly cells: readonly string[];
}

async function readRows(heading?: string): Promise<readonly GuideRow[]> {
  const guide = await readFile(new URL('../../../docs/guides/retention.md', import.meta.url), 'utf8');
  const section =
    heading === undefined ? guide : (guide.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [first = '', ...cells] = line.split('|').slice(1, -1);
      const tables = [...first.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, name = '']) => name);
      return { tables, cells: cells.map((cell) => cell.trim()) };
    });
}
