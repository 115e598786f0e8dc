import type { StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';

import type { Item } from '../generated/news-api.ts';
import { eachInPages } from './each-in-pages.ts';
import { MirrorFileError } from './mirror-file.ts';
import type {
  CopyMoment,
  CopyName,
  CopyProgress,
  CopyStep,
  MirroredItem,
  MirrorStore,
} from './mirror-store.ts';

export { MirrorFileError, setAside } from './mirror-file.ts';

/** A mirror in SQLite, which people and programs may query: the tables are described in the README. */
export interface SqliteMirrorStore extends MirrorStore {
  /** Items of the current copy in which every word occurs, in title or summary, the newest first. */
  readonly search: (words: string, limit?: number, filter?: MirrorFilter) => readonly Item[];
  /** The newest items of the current copy. */
  readonly latest: (limit?: number, filter?: MirrorFilter) => readonly Item[];
}

export interface MirrorFilter {
  readonly category?: string;
  /** Without regard to case. */
  readonly sourceName?: string;
  /** A primary subtag such as en: also items in en-GB. */
  readonly language?: string;
  /** Items received at or after this instant, in the form of `discoveredAt`. */
  readonly since?: string;
}

const filterConditions: Readonly<Record<keyof MirrorFilter, string>> = {
  category: 'category = ?',
  sourceName: 'source = ? collate nocase',
  language: "json ->> '$.language' || '-' like ? || '-%'",
  since: 'discovered_at >= ?',
};

const tables: Record<CopyName, string> = { current: 'current_item', next: 'next_item' };
const columns = `(
  id text primary key,
  discovered_at text not null,
  digest text not null,
  json text not null,
  seal text not null default ''
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
const version = 3;
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
    this.#database = readable(path, () => new DatabaseSync(path));
    try {
      readable(path, () => this.#prepareFile());
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  readonly progress = async (copy: CopyName): Promise<CopyProgress | null> =>
    this.#readable(() => readProgress(this.#prepared(progressOf), copy));

  readonly digests = async (copy: CopyName, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    this.#readable(() => {
      const list = JSON.stringify(ids);
      if (!this.#hasIdsBetween(copy, list)) return new Map();
      const rows = this.#prepared(
        `select id, digest from ${tables[copy]} where id in (select value from json_each(?))`,
      ).all(list);
      return new Map(rows.map((row) => [String(row['id']), String(row['digest'])]));
    });

  readonly scan = (copy: CopyName): AsyncIterable<MirroredItem> =>
    pagesOf(this.#path, () => this.#database, copy);

  readonly apply = ({ copy, put, remove, progress }: CopyStep): Promise<void> => {
    this.#inTransaction(() => {
      const insert = this.#prepared(
        `insert or replace into ${tables[copy]} (id, discovered_at, digest, json, seal) values (?, ?, ?, ?, ?)`,
      );
      for (const { item, digest, seal } of put) {
        insert.run(item.id, item.discoveredAt, digest, JSON.stringify(item), seal);
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
        items: pagesOf(this.#path, () => database, 'current'),
      });
    } finally {
      database.close();
    }
  };

  readonly get = async (id: string): Promise<MirroredItem | null> =>
    this.#readable(() => {
      const row = this.#prepared(
        'select id, discovered_at, digest, json, seal from current_item where id = ?',
      ).get(id);
      return row === undefined || readItem(row) === null ? null : readRow(row);
    });

  readonly search = (words: string, limit = 20, filter: MirrorFilter = {}): readonly Item[] => {
    const terms = words.split(/\s+/).filter((word) => word !== '');
    const conditions = terms.map(() => `(title || ' ' || summary) like ? escape '\\'`);
    const values = terms.map((term) => `%${term.replace(/[\\%_]/g, '\\$&')}%`);
    return this.#newest(conditions, values, limit, filter);
  };

  readonly latest = (limit = 20, filter: MirrorFilter = {}): readonly Item[] =>
    this.#newest([], [], limit, filter);

  readonly close = (): Promise<void> => {
    this.#database.close();
    return Promise.resolve();
  };

  #newest(
    conditions: readonly string[],
    values: readonly string[],
    limit: number,
    filter: MirrorFilter,
  ): readonly Item[] {
    const given = (Object.keys(filterConditions) as (keyof MirrorFilter)[]).flatMap((name) => {
      const value = filter[name];
      return value === undefined ? [] : [{ condition: filterConditions[name], value }];
    });
    const all = ['true', ...conditions, ...given.map(({ condition }) => condition)].join(' and ');
    const sql = `select json from item where ${all} order by discovered_at desc, id desc limit ?`;
    const wanted = [...values, ...given.map(({ value }) => value)];
    const rows = this.#readable(() => this.#database.prepare(sql).all(...wanted, limit));
    return rows.map((row) => JSON.parse(String(row['json'])) as Item);
  }

  /** Pages of a snapshot are ordered by id: one query shows that no item of a page is stored yet. */
  #hasIdsBetween(copy: CopyName, list: string): boolean {
    // Not `?1` twice: Node 22.13 and 24.0 bind no numbered parameters.
    const [least, greatest] = ['min', 'max'].map((of) => `(select ${of}(value) from json_each(?))`);
    const sql = `select 1 from ${tables[copy]} where id between ${least} and ${greatest} limit 1`;
    return this.#prepared(sql).get(list, list) !== undefined;
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #version(): number {
    return Number(this.#database.prepare('pragma user_version').get()?.['user_version']);
  }

  /** Also in a file of version 1, whose table `item` had the columns of the view, and of version 2, without seals. */
  #createTables(): void {
    const found = this.#version();
    if (found === 1) this.#database.exec('alter table item rename to current_item');
    if (found === 1 || found === 2)
      for (const table of Object.values(tables))
        this.#database.exec(`alter table ${table} add column seal text not null default ''`);
    this.#database.exec(`
      create table if not exists current_item ${columns};
      create table if not exists next_item ${columns};
      ${view};
      create table if not exists progress (copy text primary key, json text not null) strict;
      pragma user_version = ${version};
    `);
  }

  #prepareFile(): void {
    this.#database.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full');
    const names = this.#database
      .prepare('select name from sqlite_schema')
      .all()
      .map((row) => String(row['name']));
    const found = this.#version();
    const isComplete = [...Object.values(tables), 'progress', 'item'].every((name) => names.includes(name));
    const isMirror = found === version ? isComplete : found === 0 ? names.length === 0 : found < version;
    if (!isMirror) throw new MirrorFileError(`${this.#path} is not a mirror, or damaged`);
    if (found !== version) this.#inTransaction(() => this.#createTables());
  }

  #readable<T>(work: () => T): T {
    return readable(this.#path, work);
  }

  #inTransaction(work: () => void): void {
    this.#readable(() => {
      this.#database.exec('begin immediate');
      try {
        work();
        this.#database.exec('commit');
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
  }

  #rollBack(): void {
    try {
      this.#database.exec('rollback');
    } catch {
      // SQLite has ended the transaction by itself, as it does when the disk is full.
    }
  }
}

/** Null for damaged progress as well. */
function readProgress(statement: StatementSync, copy: CopyName): CopyProgress | null {
  const row = statement.get(copy);
  try {
    return row === undefined ? null : (JSON.parse(String(row['json'])) as CopyProgress);
  } catch {
    return null;
  }
}

function pagesOf(path: string, database: () => DatabaseSync, copy: CopyName): AsyncIterable<MirroredItem> {
  const sql = `select id, discovered_at, digest, json, seal from ${tables[copy]} where id > ? order by id limit 1000`;
  return eachInPages((after) => readable(path, () => database().prepare(sql).all(after).map(readRow)));
}

/** SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_ERROR: the statements are fixed, so an unknown name is a damaged schema. */
const damagedCodes = new Set([11, 26, 1]);

/** Throws a MirrorFileError where SQLite says that the file is damaged. */
function readable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = (error as { readonly errcode?: number }).errcode ?? 0;
    if (!damagedCodes.has(code & 0xff)) throw error;
    throw new MirrorFileError(`${path} is damaged`, { cause: error });
  }
}

function readRow(row: Record<string, unknown>): MirroredItem {
  // A damaged item does not match its digest, and verify names it.
  const item = readItem(row) ?? ({ id: String(row['id']) } as Item);
  return { item, digest: String(row['digest']), seal: String(row['seal']) };
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
