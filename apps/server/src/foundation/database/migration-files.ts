import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
  /** Processes that do not know this migration must not run once it is applied. */
  readonly breaking: boolean;
  /** Without one its statements run one by one, for CREATE INDEX CONCURRENTLY; they must then be repeatable. */
  readonly inTransaction: boolean;
}

const folder = new URL('../../../migrations/', import.meta.url);
const fileName = /^(?<number>\d{4})-(?<name>[a-z0-9-]+)\.sql$/;

/** All migrations in order. A gap, a duplicate number or an unknown file ends the process. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const { number, name } = fileName.exec(file)?.groups ?? {};
      if (name === undefined || Number(number) !== index + 1) {
        throw new Error(`migrations/${file} should be number ${String(index + 1).padStart(4, '0')}`);
      }
      const sql = await readFile(new URL(file, folder), 'utf8');
      return {
        number: index + 1,
        name,
        sql,
        sha256: createHash('sha256').update(sql).digest('hex'),
        ...readHeader(sql),
      };
    }),
  );
}

/** The directives in the comment lines at the start of the migration. */
function readHeader(sql: string): Pick<Migration, 'breaking' | 'inTransaction'> {
  const header = /^(?:--.*\n)*/.exec(sql)?.[0].split('\n') ?? [];
  return {
    breaking: header.includes('-- breaking'),
    inTransaction: !header.includes('-- outside a transaction'),
  };
}

/** Each ends with a semicolon at the end of a line. */
export function statementsOf({ sql }: Migration): readonly string[] {
  return sql
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, '').trim() !== '');
}
