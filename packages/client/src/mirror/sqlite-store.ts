import type { StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';

import type { Item } from '../generated/news-api.ts';
import type {
  CopyMoment,
  CopyName,
  CopyProgress,
  CopyStep,
  MirroredItem,
  MirrorStore,
} from './mirror-store.ts';

/** A mirror in SQLite, which people and programs may query: the tables are described in the README. */
export interface SqliteMirrorStore extends MirrorStore {
  /** Items of the current copy in which every word occurs, in title or summary, the newest first. */
  readonly search: (words: string, limit?: number) => readonly Item[];
  /** The newest items of the current copy. */
  readonly latest: (limit?: number) => readonly Item[];
}

const tables: Record<CopyName, string> = { current: 'current_item', next: 'next_item' };
const columns = `(
  id text primary key,
  discovered_at text not null,
  digest text not null,
  json text not null
) strict, without rowid`;
/**
 * The columns that people query: read from the json at query time, so that they cannot disagree with it. Not
 * generated columns of the table, which SQLite computes with every insert, stored or not.
 */
const view = `create view if not exists item as select
  id,
  discovered_at,
  digest,
  json,
  json ->> '$.title' as title,
  json ->> '$.summary' as summary,
  json ->> '$.source.name' as source,
  json ->> '$.category' as category,
  json ->> '$.publishedAt' as published_at,
  json ->> '$.links.original' as url
from current_item`;
const version = 2;
const progressOf = 'select json from progress where copy = ?';

export function sqliteStore(path: string): SqliteMirrorStore {
  return new SqliteStore(path);
}

class SqliteStore implements SqliteMirrorStore {
  readonly #path: string;
  readonly #database: DatabaseSync;
  /** The resources of a statement are released at garbage collection, which may be long after its last use. */
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string) {
    this.#path = path;
    this.#database = new DatabaseSync(path);
    this.#database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full');
    if (this.#version() !== version) this.#inTransaction(() => this.#createTables());
  }

  readonly progress = (copy: CopyName): Promise<CopyProgress | null> =>
    Promise.resolve(readProgress(this.#prepared(progressOf), copy));

  readonly digests = (copy: CopyName, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const list = JSON.stringify(ids);
    if (!this.#hasIdsBetween(copy, list)) return Promise.resolve(new Map());
    const rows = this.#prepared(
      `select id, digest from ${tables[copy]} where id in (select value from json_each(?))`,
    ).all(list);
    const found = new Map(rows.map((row) => [String(row['id']), String(row['digest'])]));
    return Promise.resolve(found);
  };

  readonly apply = ({ copy, put, remove, progress }: CopyStep): Promise<void> => {
    this.#inTransaction(() => {
      const insert = this.#prepared(
        `insert or replace into ${tables[copy]} (id, discovered_at, digest, json) values (?, ?, ?, ?)`,
      );
      for (const { item, digest } of put) {
        insert.run(item.id, item.discoveredAt, digest, JSON.stringify(item));
      }
      const forget = this.#prepared(`delete from ${tables[copy]} where id = ?`);
      for (const id of remove) forget.run(id);
      this.#prepared('insert or replace into progress values (?, ?)').run(copy, JSON.stringify(progress));
    });
    return Promise.resolve();
  };

  readonly dropNext = (): Promise<void> => {
    this.#inTransaction(() =>
      this.#database.exec("delete from next_item; delete from progress where copy = 'next'"),
    );
    return Promise.resolve();
  };

  readonly swap = (): Promise<void> => {
    this.#inTransaction(() =>
      this.#database.exec(`
        drop view item;
        drop table current_item;
        alter table next_item rename to current_item;
        create table next_item ${columns};
        ${view};
        update or replace progress set copy = 'current' where copy = 'next';
      `),
    );
    return Promise.resolve();
  };

  /** By a connection of its own, whose transaction sees one state of the file whatever is written meanwhile. */
  readonly read = async <T>(work: (copy: CopyMoment) => Promise<T>): Promise<T> => {
    const database = new DatabaseSync(this.#path, { readOnly: true });
    try {
      database.exec('pragma busy_timeout = 5000; begin');
      return await work({
        progress: readProgress(database.prepare(progressOf), 'current'),
        items: eachItem(database),
      });
    } finally {
      database.close();
    }
  };

  readonly get = (id: string): Promise<MirroredItem | null> => {
    const row = this.#prepared('select id, discovered_at, digest, json from current_item where id = ?').get(
      id,
    );
    const item = row === undefined ? null : readItem(row);
    return Promise.resolve(item === null ? null : { item, digest: String(row?.['digest']) });
  };

  readonly search = (words: string, limit = 20): readonly Item[] => {
    const terms = words.split(/\s+/).filter((word) => word !== '');
    const conditions = terms.map(() => `(title || ' ' || summary) like ? escape '\\'`);
    const values = terms.map((term) => `%${term.replace(/[\\%_]/g, '\\$&')}%`);
    return this.#newest(conditions.length === 0 ? 'true' : conditions.join(' and '), values, limit);
  };

  readonly latest = (limit = 20): readonly Item[] => this.#newest('true', [], limit);

  readonly close = (): Promise<void> => {
    this.#database.close();
    return Promise.resolve();
  };

  #newest(condition: string, values: readonly string[], limit: number): readonly Item[] {
    return this.#database
      .prepare(`select json from item where ${condition} order by discovered_at desc, id desc limit ?`)
      .all(...values, limit)
      .map((row) => JSON.parse(String(row['json'])) as Item);
  }

  /** Pages of a snapshot are ordered by id: one query shows that no item of a page is stored yet. */
  #hasIdsBetween(copy: CopyName, list: string): boolean {
    const [least, greatest] = ['min', 'max'].map((of) => `(select ${of}(value) from json_each(?1))`);
    const sql = `select 1 from ${tables[copy]} where id between ${least} and ${greatest} limit 1`;
    return this.#prepared(sql).get(list) !== undefined;
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #version(): number {
    return Number(this.#database.prepare('pragma user_version').get()?.['user_version']);
  }

  /** Also in a file of version 1, whose table `item` had the columns of the view. */
  #createTables(): void {
    if (this.#version() === 1) this.#database.exec('alter table item rename to current_item');
    this.#database.exec(`
      create table if not exists current_item ${columns};
      create table if not exists next_item ${columns};
      ${view};
      create table if not exists progress (copy text primary key, json text not null) strict;
      pragma user_version = ${version};
    `);
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('begin immediate');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec('rollback');
    } catch {
      // SQLite has ended the transaction by itself, as it does when the disk is full.
    }
  }
}

function readProgress(statement: StatementSync, copy: CopyName): CopyProgress | null {
  const row = statement.get(copy);
  return row === undefined ? null : (JSON.parse(String(row['json'])) as CopyProgress);
}

async function* eachItem(database: DatabaseSync): AsyncGenerator<MirroredItem> {
  const page = database.prepare(
    'select id, discovered_at, digest, json from current_item where id > ? order by id limit 1000',
  );
  for (let after = ''; ;) {
    const rows = page.all(after);
    for (const row of rows) {
      // A damaged item does not match its digest, and verify names it.
      const item = readItem(row) ?? ({ id: String(row['id']) } as Item);
      yield { item, digest: String(row['digest']) };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = String(last['id']);
  }
}

/** Null for a damaged item: invalid JSON, or not with the id and time of its row. */
function readItem(row: Record<string, unknown>): Item | null {
  try {
    const item = JSON.parse(String(row['json'])) as Item;
    return item.id === row['id'] && item.discoveredAt === row['discovered_at'] ? item : null;
  } catch {
    return null;
  }
}
