import { randomBytes } from 'node:crypto';

import type { Clock } from '../../src/foundation/clock.ts';
import type { Database } from '../../src/foundation/database/database.ts';
import type { Id, IdSource } from '../../src/foundation/ids.ts';
import { createIdSource } from '../../src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../src/foundation/instant.ts';
import { epochMicroseconds, hourMicroseconds } from '../../src/foundation/instant.ts';
import type { Result } from '../../src/foundation/result.ts';
import type { decisions } from '../../src/record/index.ts';
import { createPublisher } from '../../src/record/wiring.ts';

type Source = decisions.ItemToPublish['source'];

/** A publisher with a short way to publish items through it. */
export function createRecordFactory(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly randomBytes?: (size: number) => Uint8Array;
  readonly fence?: (transaction: Database) => Promise<void>;
}) {
  const ids: IdSource = createIdSource({ clock: deps.clock, randomBytes: deps.randomBytes ?? randomBytes });
  const publisher = createPublisher({ ...deps, ids });
  const sources = new Map<string, Source>();
  const source = (name: string): Source => {
    const known = sources.get(name) ?? { id: ids.next(), name, owner: `owner of ${name}`, firstParty: false };
    sources.set(name, known);
    return known;
  };
  /** `hoursAgo` is when it was discovered; the rest as given or by default. */
  const draft = ({
    hoursAgo = 0,
    sourceName = 'The Wire',
    ...rest
  }: Partial<decisions.ItemToPublish> & {
    readonly hoursAgo?: number;
    readonly sourceName?: string;
  } = {}): decisions.ItemToPublish => ({
    source: source(sourceName),
    title: 'A model was released',
    originalTitle: null,
    summary: 'It reads longer texts than its predecessor.',
    category: 'ai-models',
    originalUrl: 'https://wire.example/model',
    publishedAt: null,
    discoveredAt: hoursBefore(deps.clock.now(), hoursAgo),
    score: 50,
    ...rest,
  });
  return {
    publisher,
    ids,
    source,
    draft,
    publish: async (item: Parameters<typeof draft>[0] = {}): Promise<Id<'item'>> =>
      valueOf(await publisher.publishItem(draft(item))).itemId,
    publishSelected: async (item: Parameters<typeof draft>[0] = {}): Promise<Id<'item'>> => {
      const { itemId } = valueOf(await publisher.publishItem(draft(item)));
      valueOf(await publisher.selectItem({ itemId, reason: 'It matters.' }));
      return itemId;
    },
  };
}

export function hoursBefore(instant: EpochMicroseconds, hours: number): EpochMicroseconds {
  return epochMicroseconds(instant - BigInt(Math.round(hours * Number(hourMicroseconds))));
}

export function valueOf<Value>(result: Result<Value, string>): Value {
  if (!result.ok) throw new Error(`refused: ${result.reason}`);
  return result.value;
}
