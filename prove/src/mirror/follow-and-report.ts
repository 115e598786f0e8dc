// Runs in a process and in a page alike: nothing but the package and the web.
import { createClient } from '@daybook/client';
import type { MirrorStore } from '@daybook/client/mirror';
import { follow, MirrorDifferentError, MirrorRefusedError, verify } from '@daybook/client/mirror';

import type { DamageDemand, DamageReport } from './damage-rounds.ts';
import { damageRounds } from './damage-rounds.ts';

/** The instructions for one life of a mirror. */
export interface LifeDemand {
  /** Of the proxy, by a name of its own for this life. */
  readonly address: string;
  /** How many times faster than ours its clock runs. */
  readonly speed: number;
  /** Where given: catch up, then look at the copy and at whether verify names each of these when it is changed. */
  readonly inspect: readonly string[] | null;
  /** And then damages of the copy, with the server itself at this address. */
  readonly damages?: Omit<DamageDemand, 'seed'>;
}

/** Its output, one line each. */
export interface LifeLine {
  readonly started?: true;
  readonly kind?: string;
  readonly size?: number;
  readonly hash?: string;
  /** The result of a concurrent reader of the copy. */
  readonly reading?: 'whole' | 'torn';
  readonly copy?: CopyReport;
}

export interface CopyReport {
  readonly items: Readonly<Record<string, string>>;
  readonly isWhole: boolean;
  /** Of the items that were changed, how many verify did not name. */
  readonly missed: number;
  readonly damages?: DamageReport;
}

type Tell = (line: LifeLine) => Promise<void>;

export interface LifeStores {
  readonly store: MirrorStore;
  /** As another reader would open it. */
  readonly openReader: () => MirrorStore;
  /** Whether an error is the store's for want of room: then it tries again, as before. */
  readonly isFull: (error: unknown) => boolean;
}

/** One line: Node ends one at these two as well. */
export function lineOf(line: LifeLine): string {
  return JSON.stringify(line).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

const pageSize = { snapshot: 7, changes: 5 };

/** Follows for ever, or until the copy has been inspected. It is killed at random moments. */
export async function followAndReport(demand: LifeDemand, stores: LifeStores, tell: Tell): Promise<void> {
  /** An hour of polling passes in a few seconds: only the clock is another. */
  const world = {
    now: () => performance.now() * demand.speed,
    wait: (milliseconds: number) => pause(milliseconds / demand.speed),
  };
  const patience = { retriesMax: 20, waitMsMax: 3_600_000 };
  const client = createClient({ baseUrl: demand.address, world, patience });
  const once = demand.inspect !== null;
  await tell({ started: true });
  if (!once) void readAgainAndAgain(stores, tell);
  for (;;) {
    try {
      for await (const event of follow({
        client,
        store: stores.store,
        world,
        pageSize,
        once,
        server: 'proxy',
      })) {
        const { kind } = event;
        await tell(kind === 'exact' ? { kind, size: event.size, hash: event.hash } : { kind });
      }
      if (demand.inspect === null) continue;
      const copy = await inspect(stores.store, demand.inspect);
      const { damages } = demand;
      const report = damages && { damages: await damageRounds(stores.store, { ...damages, seed: 1 }) };
      await tell({ copy: { ...copy, ...report } });
      return;
    } catch (error) {
      const isKnown = error instanceof MirrorDifferentError || error instanceof MirrorRefusedError;
      if (!isKnown && !stores.isFull(error)) throw error;
      await tell({ kind: isKnown ? 'error' : 'full' });
      await pause(50);
    }
  }
}

/** Readers must see one complete copy: the digest of the items equals that in its progress. */
async function readAgainAndAgain({ openReader }: LifeStores, tell: Tell): Promise<void> {
  for (;;) {
    await pause(30);
    const reader = openReader();
    const isThere = (await reader.progress('current')) !== null;
    const isWhole = !isThere || (await verify(reader)).ok;
    await reader.close();
    if (isThere) await tell({ reading: isWhole ? 'whole' : 'torn' });
  }
}

async function inspect(store: MirrorStore, ids: readonly string[]): Promise<CopyReport> {
  const items: Record<string, string> = {};
  await store.read(async (copy) => {
    for await (const { item } of copy.items) items[item.id] = JSON.stringify(item);
  });
  const { ok } = await verify(store);
  let missed = 0;
  for (const id of ids) missed += (await isNamed(store, id)) ? 0 : 1;
  return { items, isWhole: ok, missed };
}

async function isNamed(store: MirrorStore, id: string): Promise<boolean> {
  const [held, progress] = [await store.get(id), await store.progress('current')];
  if (held === null || progress === null) return false;
  const changed = { ...held, item: { ...held.item, title: `${held.item.title}~` } };
  await store.apply({ copy: 'current', put: [changed], remove: [], progress });
  const { ok, differing } = await verify(store);
  await store.apply({ copy: 'current', put: [held], remove: [], progress });
  return !ok && differing.includes(id);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
