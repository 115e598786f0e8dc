// Runs in a process and in a page alike: nothing but the package and the web.
import { createClient } from '@daybook/client';
import type { CopyProgress, MirroredItem, MirrorEvent, MirrorStore } from '@daybook/client/mirror';
import { follow, MirrorServerError, verify } from '@daybook/client/mirror';

export interface DamageDemand {
  readonly address: string;
  readonly rounds: number;
  readonly seed: number;
}

export interface DamageReport {
  rounds: number;
  /** Damages after which the mirror said exact without a repair. */
  unnoticed: string[];
  /** Copies that were not the set after the repair. */
  unrepaired: string[];
  /** Repairs that read more than twice the damaged ranges and a page. */
  costly: string[];
}

interface Held {
  readonly rows: readonly MirroredItem[];
  readonly progress: CopyProgress;
  readonly pick: () => MirroredItem;
}

/** What is stored instead, as by a program or disk that does not know the seals. */
interface Damage {
  readonly put?: readonly MirroredItem[];
  readonly remove?: readonly string[];
  readonly progress?: Partial<CopyProgress>;
}

const pageItems = 1000;
const flip = (hex: string): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);

const damages: Readonly<Record<string, (held: Held) => Damage>> = {
  'a title': ({ pick }) => changed(pick(), (item) => ({ ...item, title: `${item.title}~` })),
  'a summary': ({ pick }) => changed(pick(), (item) => ({ ...item, summary: `${item.summary} ` })),
  'a score': ({ pick }) => changed(pick(), (item) => ({ ...item, score: (item.score ?? 0) + 1 })),
  'a reason': ({ pick }) => changed(pick(), (item) => ({ ...item, reason: `${item.reason ?? ''}!` })),
  'a lost field': ({ pick }) =>
    changed(pick(), (item) => ({ ...item, language: undefined }) as unknown as MirroredItem['item']),
  'a digest': ({ pick }) => one(pick(), (held) => ({ ...held, digest: flip(held.digest) })),
  'a seal': ({ pick }) => one(pick(), (held) => ({ ...held, seal: flip(held.seal) })),
  'a lost item': ({ pick }) => ({ remove: [pick().item.id] }),
  'an extra item': ({ pick }) => changed(pick(), (item) => ({ ...item, id: `${item.id.slice(0, -4)}ffff` })),
  'two items in each other’s place': ({ pick }) => {
    const [left, right] = [pick(), pick()];
    return { put: [movedTo(left, right.item.id), movedTo(right, left.item.id)] };
  },
  'an older version of an item with its digest': ({ pick }) =>
    changed(pick(), (item) => ({ ...item, discoveredAt: '2020-01-01T00:00:00.000Z' })),
  'many lost items': ({ rows, pick }) => ({
    remove: rows
      .slice(0, 5)
      .map(({ item }) => item.id)
      .concat(pick().item.id),
  }),
  'a cursor': ({ progress }) => ({ progress: { cursor: `${progress.cursor.slice(0, -2)}AA` } }),
  'no cursor': () => ({ progress: { cursor: '' } }),
  'a size': ({ progress }) => ({ progress: { size: progress.size - 1 } }),
  'a hash': ({ progress }) => ({ progress: { hash: flip(progress.hash) } }),
  'a page of a snapshot': () => ({ progress: { nextPage: 'x' } }),
  'a server': () => ({ progress: { server: 'https://other.example' } }),
  'a time': () => ({ progress: { verifiedAt: 1 } }),
  'the seal of the progress': ({ progress }) => ({ progress: { seal: flip(progress.seal) } }),
};

function one(held: MirroredItem, change: (held: MirroredItem) => MirroredItem): Damage {
  return { put: [change(held)] };
}

function changed(held: MirroredItem, change: (item: MirroredItem['item']) => MirroredItem['item']): Damage {
  return one(held, ({ item, ...rest }) => ({ item: change(item), ...rest }));
}

function movedTo(held: MirroredItem, id: string): MirroredItem {
  return { ...held, item: { ...held.item, id } };
}

/** Damages an exact copy of a set at rest again and again, and lets it be repaired. */
export async function damageRounds(store: MirrorStore, demand: DamageDemand): Promise<DamageReport> {
  const report: DamageReport = { rounds: 0, unnoticed: [], unrepaired: [], costly: [] };
  const random = randomFrom(demand.seed);
  const expected = await textsOf(store);
  const names = Object.keys(damages);
  // The sums may be a minute old: these ranges have changed since.
  await damageOnce(store, 'the seal of the progress', random);
  const changedSince = (await updated(store, demand.address)).find(({ kind }) => kind === 'repair') as
    | { readonly ranges: number }
    | undefined;
  for (let round = 0; round < demand.rounds; round += 1) {
    const name = names[round % names.length] ?? '';
    const ranges = await damageOnce(store, name, random);
    const events = await updated(store, demand.address);
    judge(report, name, events, ranges + (changedSince?.ranges ?? 0));
    if ((await textsOf(store)) !== expected || !(await verify(store)).ok) report.unrepaired.push(name);
    report.rounds += 1;
  }
  if (!(await isRefusedElsewhere(store, demand.address))) report.unnoticed.push('another server');
  return report;
}

/** Notes what was not noticed, and what was read although it was intact. */
export function judge(
  report: DamageReport,
  name: string,
  events: readonly MirrorEvent[],
  rangesMax: number,
): void {
  const repair = events.find((event) => event.kind === 'repair');
  const size = events.find((event) => event.kind === 'exact')?.size ?? 0;
  if (repair === undefined) report.unnoticed.push(name);
  else if (
    repair.ranges > rangesMax ||
    repair.items > 2 * repair.ranges * Math.ceil(size / 1024 + 1) + pageItems
  )
    report.costly.push(`${name}: ${repair.ranges} ranges, ${repair.items} items`);
}

/** As many ranges as items differ at most. */
async function damageOnce(store: MirrorStore, name: string, random: () => number): Promise<number> {
  const rows: MirroredItem[] = [];
  for await (const held of store.scan('current')) rows.push(held);
  const progress = await store.progress('current');
  const damage = damages[name];
  if (progress === null || damage === undefined) throw new Error('no copy exists');
  const pick = (): MirroredItem => {
    const found = rows[Math.floor(random() * rows.length)];
    if (found === undefined) throw new Error('the copy is empty');
    return found;
  };
  const { put = [], remove = [], progress: other } = damage({ rows, progress, pick });
  await store.apply({ copy: 'current', put, remove, progress: { ...progress, ...other } });
  return put.length + remove.length;
}

export async function updated(store: MirrorStore, address: string): Promise<readonly MirrorEvent[]> {
  const events: MirrorEvent[] = [];
  const client = createClient({ baseUrl: address });
  for await (const event of follow({ client, store, once: true, server: 'proxy' })) events.push(event);
  return events;
}

async function isRefusedElsewhere(store: MirrorStore, address: string): Promise<boolean> {
  const client = createClient({ baseUrl: address });
  try {
    for await (const _ of follow({ client, store, once: true, server: 'https://other.example' }))
      return false;
    return false;
  } catch (error) {
    return error instanceof MirrorServerError;
  }
}

export async function textsOf(store: MirrorStore): Promise<string> {
  const texts: string[] = [];
  for await (const { item } of store.scan('current')) texts.push(JSON.stringify(item));
  return texts.sort().join('\n');
}

function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
