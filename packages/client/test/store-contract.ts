// The contract of mirror stores. Runs in every runtime and in a browser: only the package and web APIs.
import { createClient } from '@daybook/client';
import type { MirrorEvent, MirrorStore } from '@daybook/client/mirror';
import { follow, MirrorDifferentError, MirrorServerError, verify } from '@daybook/client/mirror';

export interface StoreWorld {
  /** Of a ledger of 25 items that is this check's alone: `LedgerServer`. */
  readonly ledger: string;
  readonly open: () => MirrorStore;
  /** Whether stored data is still available after closing and opening. */
  readonly reopens: boolean;
}

class StoreStage {
  readonly #world: StoreWorld;
  store: MirrorStore;

  constructor(world: StoreWorld) {
    this.#world = world;
    this.store = world.open();
  }

  /** As after the end of the process, where the store outlives it. */
  async reopen(): Promise<void> {
    if (!this.#world.reopens) return;
    await this.store.close();
    this.store = this.#world.open();
  }

  async tell(command: Readonly<Record<string, string>>): Promise<unknown> {
    const answer = await fetch(`${this.#world.ledger}?${new URLSearchParams(command).toString()}`);
    return answer.json();
  }

  async catchUp(eventsMax = Infinity, snapshot = 7, server?: string): Promise<readonly MirrorEvent[]> {
    const client = createClient({ baseUrl: this.#world.ledger, patience: { retriesMax: 0 } });
    const events: MirrorEvent[] = [];
    const pageSize = { snapshot, changes: 3 };
    const options = {
      client,
      store: this.store,
      once: true,
      pageSize,
      ...(server !== undefined && { server }),
    };
    for await (const event of follow(options)) {
      events.push(event);
      if (events.length >= eventsMax) break;
    }
    return events;
  }

  async titles(): Promise<unknown> {
    const found: [string, string][] = [];
    await this.store.read(async ({ items }) => {
      for await (const { item } of items) found.push([item.id, item.title]);
    });
    return found.sort(([left], [right]) => (left < right ? -1 : 1));
  }

  async isTheSet(): Promise<void> {
    same(await this.titles(), await this.tell({ do: 'titles' }));
    same((await verify(this.store)).ok, true);
  }
}

export function same(found: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${left} instead of ${right}`);
}

export async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const checks: Record<string, (stage: StoreStage) => Promise<void>> = {
  'reads a snapshot and knows that it is exact': async (stage) => {
    const { kind, size } = (await stage.catchUp()).at(-1) as { readonly kind: string; readonly size: number };
    same([kind, size], ['exact', 25]);
    await stage.isTheSet();
  },
  'then changes, and tells them': async (stage) => {
    await stage.catchUp();
    await stage.tell({ do: 'put', id: 'id-3', title: 'changed' });
    await stage.tell({ do: 'remove', id: 'id-4' });
    await stage.tell({ do: 'put', id: 'new' });
    await stage.reopen();
    const events = await stage.catchUp();
    same(
      events.map(({ kind }) => kind),
      ['upsert', 'remove', 'upsert', 'exact'],
    );
    await stage.isTheSet();
    const changed = (await stage.store.get('id-3'))?.item;
    same([changed?.title, changed?.score, await stage.store.get('id-4')], ['changed', 50, null]);
  },
  'goes on wherever it was stopped, also while the set changes': async (stage) => {
    for (let at = 0; at < 12; at += 1) {
      await stage.catchUp(1 + (at % 2));
      await stage.tell({ do: 'put', id: `id-${at}`, title: `again ${at}` });
      await stage.tell({ do: 'remove', id: `id-${24 - at}` });
      await stage.reopen();
    }
    await stage.catchUp();
    await stage.isTheSet();
  },
  'makes a new copy when the ledger is another, and readers keep the old one meanwhile': async (stage) => {
    await stage.catchUp();
    const before = await stage.titles();
    await stage.tell({ do: 'renew' });
    for (let at = 0; at < 25; at += 1) await stage.tell({ do: 'put', id: `b-${at}` });
    for (let at = 0; at < 20; at += 1) await stage.tell({ do: 'remove', id: `id-${at}` });
    same((await stage.catchUp(4))[0], { kind: 'restart', reason: 'snapshot_required' });
    same(await stage.titles(), before);
    await stage.reopen();
    await stage.catchUp();
    await stage.isTheSet();
  },
  'notices what was forged on the way, tries once more, and then says so loudly': async (stage) => {
    await stage.catchUp();
    const before = await stage.titles();
    await stage.tell({ do: 'forge', id: 'id-7' });
    await stage.tell({ do: 'put', id: 'id-7', title: 'true' });
    same((await thrownBy(() => stage.catchUp())) instanceof MirrorDifferentError, true);
    same(await stage.titles(), before);
    await stage.tell({ do: 'forge', id: '' });
    await stage.catchUp();
    await stage.isTheSet();
  },
  'shows a reader one copy, whatever takes its place meanwhile': async (stage) => {
    await stage.tell({ do: 'fill', title: 'old' });
    await stage.catchUp(Infinity, 500);
    await stage.tell({ do: 'renew' });
    await stage.tell({ do: 'fill', title: 'new' });
    const seen = new Map<string, number>();
    await stage.store.read(async ({ items }) => {
      for await (const { item } of items) {
        if (seen.size === 0) await stage.catchUp(Infinity, 500);
        seen.set(item.title, (seen.get(item.title) ?? 0) + 1);
      }
    });
    same([seen.get('old'), seen.get('new')], [1500, undefined]);
    await stage.isTheSet();
  },
  'repairs a damaged item, a lost one and an extra one before it says exact': async (stage) => {
    await stage.catchUp();
    const { store } = stage;
    const [held, progress] = [await store.get('id-9'), await store.progress('current')];
    if (held === null || progress === null) throw new Error('there is no copy');
    const altered = { ...held, item: { ...held.item, score: 51 }, digest: 'null' };
    const extra = { ...held, item: { ...held.item, id: 'id-99' } };
    await store.apply({ copy: 'current', put: [altered, extra], remove: ['id-3'], progress });
    await stage.reopen();
    const events = await stage.catchUp();
    same(
      events.map(({ kind }) => kind),
      ['repair', 'exact'],
    );
    same((await stage.store.get('id-9'))?.item.score, 50);
    await stage.isTheSet();
  },
  'repairs a cursor, size or hash that is not as it was saved': async (stage) => {
    await stage.catchUp();
    for (const damage of [{ cursor: '1:3' }, { size: 24 }, { hash: '0'.repeat(64) }, { seal: '' }]) {
      const progress = await stage.store.progress('current');
      if (progress === null) throw new Error('there is no copy');
      await stage.store.apply({ copy: 'current', put: [], remove: [], progress: { ...progress, ...damage } });
      await stage.reopen();
      same(
        (await stage.catchUp()).map(({ kind }) => kind),
        ['repair', 'exact'],
      );
    }
    await stage.isTheSet();
  },
  'is refused with the address of another server': async (stage) => {
    await stage.catchUp();
    const before = await stage.titles();
    const refused = async (): Promise<void> => {
      const error = await thrownBy(() => stage.catchUp(Infinity, 7, 'https://other.example'));
      same([error instanceof MirrorServerError, await stage.titles()], [true, before]);
    };
    await refused();
    const progress = await stage.store.progress('current');
    if (progress === null) throw new Error('there is no copy');
    // A damaged copy too: its repair would replace it by the items of the other server.
    await stage.store.apply({
      copy: 'current',
      put: [],
      remove: [],
      progress: { ...progress, cursor: '1:3' },
    });
    await refused();
  },
  'computes the whole copy anew when it is asked to': async (stage) => {
    await stage.catchUp();
    await stage.reopen();
    const { ok, size, differing } = await verify(stage.store);
    same([ok, size, differing], [true, 25, []]);
  },
  'names the item that does not come to its digest': async (stage) => {
    const { store } = stage;
    await stage.catchUp();
    const [held, progress] = [await store.get('id-9'), await store.progress('current')];
    if (held === null || progress === null) throw new Error('there is no copy');
    const altered = { ...held, item: { ...held.item, title: 'altered' } };
    await store.apply({ copy: 'current', put: [altered], remove: [], progress });
    const { ok, differing } = await verify(store);
    same([ok, differing], [false, ['id-9']]);
  },
};

/** The checks by their names. Each closes the store that it opened. */
export const storeContract: Readonly<Record<string, (world: StoreWorld) => Promise<void>>> =
  Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [
      name,
      async (world: StoreWorld) => {
        const stage = new StoreStage(world);
        try {
          await check(stage);
        } finally {
          await stage.store.close();
        }
      },
    ]),
  );
