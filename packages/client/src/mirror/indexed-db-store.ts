import { eachInPages } from './each-in-pages.ts';
import { eachOf } from './memory-store.ts';
import type {
  CopyMoment,
  CopyName,
  CopyProgress,
  CopyStep,
  MirroredItem,
  MirrorStore,
} from './mirror-store.ts';

/**
 * Keeps the copy in a database of the browser, for pages and workers. Let one of them follow at a time (`navigator.locks`
 * sees to that); all may read meanwhile.
 */
export function indexedDbStore(name: string): MirrorStore {
  return new IndexedDbStore(name);
}

/** Which items are a copy's: those whose key begins with its number. A swap gives the number of one to the other. */
interface Copy {
  readonly number: number;
  readonly progress: CopyProgress;
}

type Copies = Partial<Record<CopyName, Copy>>;

const scanPage = 500;

class IndexedDbStore implements MirrorStore {
  readonly #database: Promise<Database>;

  constructor(name: string) {
    this.#database = openDatabase(name);
    // The first caller gets the error.
    this.#database.catch(() => undefined);
  }

  readonly progress = async (copy: CopyName): Promise<CopyProgress | null> => {
    const copies = await this.#transact('readonly', readCopies);
    return copies[copy]?.progress ?? null;
  };

  readonly digests = (copy: CopyName, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    this.#transact('readonly', async (tables) => {
      const number = (await readCopies(tables))[copy]?.number;
      const found = new Map<string, string>();
      if (number === undefined) return found;
      const held = await Promise.all(
        ids.map((id) => settled<MirroredItem | undefined>(tables.items.get([number, id]))),
      );
      held.forEach((one, at) => {
        if (one !== undefined) found.set(ids[at] as string, one.digest);
      });
      return found;
    });

  readonly scan = (copy: CopyName): AsyncIterable<MirroredItem> =>
    eachInPages((after) =>
      this.#transact('readonly', async (tables) => {
        const found = (await readCopies(tables))[copy];
        return found === undefined ? [] : readItems(tables, found, after, scanPage);
      }),
    );

  readonly apply = ({ copy, put, remove, progress }: CopyStep): Promise<void> =>
    this.#transact('readwrite', async (tables) => {
      const copies = await readCopies(tables);
      const number =
        copies[copy]?.number ?? Math.max(0, ...Object.values(copies).map((one) => one.number)) + 1;
      for (const one of put) tables.items.put(one, [number, one.item.id]);
      for (const id of remove) tables.items.delete([number, id]);
      tables.copies.put({ number, progress } satisfies Copy, copy);
    });

  readonly dropNext = (): Promise<void> =>
    this.#transact('readwrite', async (tables) => {
      const { next } = await readCopies(tables);
      if (next !== undefined) tables.items.delete(itemsOf(next));
      tables.copies.delete('next');
    });

  readonly swap = (): Promise<void> =>
    this.#transact('readwrite', async (tables) => {
      const { current, next } = await readCopies(tables);
      if (next === undefined) throw new Error('the next copy does not exist');
      if (current !== undefined) tables.items.delete(itemsOf(current));
      tables.copies.put(next, 'current');
      tables.copies.delete('next');
    });

  /** Reads all into memory: an IndexedDB transaction ends when its reader awaits anything else. */
  readonly read = async <T>(work: (copy: CopyMoment) => Promise<T>): Promise<T> => {
    const { progress, items } = await this.#transact('readonly', async (tables) => {
      const { current } = await readCopies(tables);
      if (current === undefined) return { progress: null, items: [] };
      return { progress: current.progress, items: await readItems(tables, current) };
    });
    return work({ progress, items: eachOf(items) });
  };

  readonly get = (id: string): Promise<MirroredItem | null> =>
    this.#transact('readonly', async (tables) => {
      const { current } = await readCopies(tables);
      if (current === undefined) return null;
      return (await settled<MirroredItem | undefined>(tables.items.get([current.number, id]))) ?? null;
    });

  readonly close = async (): Promise<void> => (await this.#database).close();

  /** What is awaited in between must be of the transaction: it ends when nothing of it is under way. */
  async #transact<T>(mode: 'readonly' | 'readwrite', work: (tables: Tables) => Promise<T>): Promise<T> {
    const database = await this.#database;
    const transaction = database.transaction(['item', 'copy'], mode, { durability: 'strict' });
    const committed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
    });
    committed.catch(() => undefined);
    try {
      const result = await work({
        items: transaction.objectStore('item'),
        copies: transaction.objectStore('copy'),
      });
      await committed;
      return result;
    } catch (error) {
      if (transaction.error === null) abort(transaction);
      throw error;
    }
  }
}

async function readCopies({ copies }: Tables): Promise<Copies> {
  const [current, next] = await Promise.all([
    settled<Copy | undefined>(copies.get('current')),
    settled<Copy | undefined>(copies.get('next')),
  ]);
  return { ...(current !== undefined && { current }), ...(next !== undefined && { next }) };
}

async function readItems(
  { items }: Tables,
  copy: Copy,
  after = '',
  count?: number,
): Promise<readonly MirroredItem[]> {
  const range = itemsOf(copy, after);
  const [keys, held] = await Promise.all([
    settled<readonly (readonly [number, string])[]>(items.getAllKeys(range, count)),
    settled<readonly MirroredItem[]>(items.getAll(range, count)),
  ]);
  return held.map((one, at) => {
    const id = keys[at]?.[1] ?? '';
    // A damaged item does not match its digest, and verify names it.
    return one.item?.id === id ? one : { ...one, item: { id } as MirroredItem['item'] };
  });
}

/** All items of a copy, or those after an id. An array is greater than every string. */
function itemsOf({ number }: Copy, after = ''): unknown {
  return browser.IDBKeyRange.bound([number, after], [number, []], true);
}

function openDatabase(name: string): Promise<Database> {
  const request = browser.indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('item');
    request.result.createObjectStore('copy');
  };
  return settled<Database>(request);
}

function settled<T>(request: Request): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error ?? new Error('the database refused'));
  });
}

/** A transaction that failed or ended by itself needs no rollback. */
function abort(transaction: Transaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended.
  }
}

// The little of IndexedDB that is used: the types of browsers would be everywhere in a program of Node.
interface Request {
  readonly result: unknown;
  readonly error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

interface ObjectStore {
  readonly get: (key: unknown) => Request;
  readonly getAll: (range: unknown, count: number | undefined) => Request;
  readonly getAllKeys: (range: unknown, count: number | undefined) => Request;
  readonly put: (value: unknown, key: unknown) => Request;
  readonly delete: (keyOrRange: unknown) => Request;
}

interface Tables {
  readonly items: ObjectStore;
  readonly copies: ObjectStore;
}

interface Transaction {
  readonly error: Error | null;
  readonly objectStore: (name: string) => ObjectStore;
  readonly abort: () => void;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}

interface Database {
  readonly createObjectStore: (name: string) => unknown;
  readonly transaction: (names: readonly string[], mode: string, options: object) => Transaction;
  readonly close: () => void;
}

const browser = globalThis as unknown as {
  readonly indexedDB: {
    readonly open: (
      name: string,
      version: number,
    ) => Request & { readonly result: Database; onupgradeneeded: (() => void) | null };
  };
  readonly IDBKeyRange: { readonly bound: (lower: unknown, upper: unknown, isLowerOpen: boolean) => unknown };
};
