import type {
  CopyMoment,
  CopyName,
  CopyProgress,
  CopyStep,
  MirroredItem,
  MirrorStore,
} from './mirror-store.ts';

interface MemoryCopy {
  readonly items: Map<string, MirroredItem>;
  progress: CopyProgress | null;
}

/** Keeps the copy in memory: as fast as can be, and gone with the process. */
export function memoryStore(): MirrorStore {
  return new MemoryStore();
}

function emptyCopy(): MemoryCopy {
  return { items: new Map(), progress: null };
}

export async function* eachOf<T>(values: Iterable<T>): AsyncGenerator<T> {
  for (const value of values) yield value;
}

export class MemoryStore implements MirrorStore {
  #copies: Record<CopyName, MemoryCopy> = { current: emptyCopy(), next: emptyCopy() };

  readonly progress = (copy: CopyName): Promise<CopyProgress | null> =>
    Promise.resolve(this.#copies[copy].progress);

  readonly digests = (copy: CopyName, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const { items } = this.#copies[copy];
    const stored = ids.map((id) => items.get(id)).filter((one) => one !== undefined);
    return Promise.resolve(new Map(stored.map(({ item, digest }) => [item.id, digest])));
  };

  readonly scan = (copy: CopyName): AsyncIterable<MirroredItem> => eachOf(this.#copies[copy].items.values());

  readonly apply = ({ copy, put, remove, progress }: CopyStep): Promise<void> => {
    const { items } = this.#copies[copy];
    for (const one of put) items.set(one.item.id, one);
    for (const id of remove) items.delete(id);
    this.#copies[copy].progress = progress;
    return Promise.resolve();
  };

  readonly dropNext = (): Promise<void> => {
    this.#copies.next = emptyCopy();
    return Promise.resolve();
  };

  readonly swap = (): Promise<void> => {
    this.#copies = { current: this.#copies.next, next: emptyCopy() };
    return Promise.resolve();
  };

  readonly read = <T>(work: (copy: CopyMoment) => Promise<T>): Promise<T> => {
    const { items, progress } = this.#copies.current;
    return work({ progress, items: eachOf([...items.values()]) });
  };

  readonly get = (id: string): Promise<MirroredItem | null> =>
    Promise.resolve(this.#copies.current.items.get(id) ?? null);

  readonly close = (): Promise<void> => Promise.resolve();

  /** The items by id, without progress: JSON Lines uses them as its index. */
  itemsOf(copy: CopyName): Map<string, MirroredItem> {
    return this.#copies[copy].items;
  }
}
