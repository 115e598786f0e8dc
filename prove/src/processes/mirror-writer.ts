import { randomBytes } from 'node:crypto';

import { seededRandom } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { epochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import type { decisions } from '../../../apps/server/src/record/index.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import type { WriterDemand, WriterReport } from '../mirror/writer-demand.ts';

// One of several newsrooms that decide at random about the same items; prints what it did.
const demand = JSON.parse(process.argv[2] ?? '') as WriterDemand;
const { database, close } = connectDatabase({
  url: demand.url,
  name: 'prove mirror writer',
  connectionsMax: 2,
  statementTimeoutMs: 60_000,
  connectTimeoutMs: 10_000,
});
const ids = createIdSource({ clock: systemClock, randomBytes });
const publisher = createPublisher({ database, clock: systemClock, ids });
const random = seededRandom(demand.seed);
const below = (limit: number): number => Math.floor(random() * limit);
const words = ['模型', 'model', '发布', 'weights', '"quoted"', '\\', '芯片', 'chip', '\u2028', '🤖'];
const phrase = (): string => Array.from({ length: 1 + below(6) }, () => words[below(words.length)]).join(' ');
const report: WriterReport = { accepted: 0, refused: 0 };
const itemIds: Id<'item'>[] = [];
const groupIds: Id<'reading-group'>[] = [];

async function lookAround(): Promise<void> {
  const rows = await database
    .selectFrom('record.item')
    .select(['id', 'group_id'])
    .where('withdrawn_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(400)
    .execute();
  itemIds.splice(0, itemIds.length, ...rows.map(({ id }) => id as Id<'item'>));
  groupIds.splice(0, groupIds.length, ...rows.map((row) => row.group_id as Id<'reading-group'>));
}

async function publish(): Promise<{ readonly ok: boolean }> {
  const number = below(demand.sourceIds.length);
  const source: decisions.ItemToPublish['source'] = {
    id: demand.sourceIds[number] as Id<'source'>,
    name: `Source ${number}`,
    owner: `owner ${number % 3}`,
    firstParty: false,
  };
  const groupId = random() < 0.5 ? groupIds[below(groupIds.length)] : undefined;
  const discoveredAt = epochMicroseconds(systemClock.now() - BigInt(below(200_000)) * 1_000_000n);
  const published = await publisher.publishItem({
    source,
    ...(groupId !== undefined && { groupId }),
    title: phrase(),
    originalTitle: random() < 0.5 ? null : phrase(),
    summary: phrase(),
    category: 'industry',
    originalUrl: `https://wire.example/${below(1_000_000)}`,
    publishedAt:
      random() < 0.5 ? null : epochMicroseconds(discoveredAt - BigInt(below(400_000)) * 1_000_000n),
    discoveredAt,
    score: below(101),
  });
  if (published.ok) {
    itemIds.push(published.value.itemId);
    groupIds.push(published.value.groupId);
  }
  return published;
}

async function decide(): Promise<{ readonly ok: boolean }> {
  const itemId = itemIds[below(itemIds.length)];
  const groupId = groupIds[below(groupIds.length)];
  const choice = random();
  if (itemId === undefined || groupId === undefined || choice < 0.25) return publish();
  if (choice < 0.6) return publisher.selectItem({ itemId, reason: phrase() });
  if (choice < 0.7) return publisher.unselectItem({ itemId });
  if (choice < 0.85) return publisher.reviseItem({ itemId, changes: { title: phrase(), score: below(101) } });
  if (choice < 0.92) return publisher.regroupItem({ itemId, groupId });
  return publisher.withdrawItem({ itemId });
}

for (let turn = 0; report.accepted < demand.decisions; turn += 1) {
  if (turn % 100 === 0) await lookAround();
  const { ok } = await decide();
  if (ok) report.accepted += 1;
  else report.refused += 1;
}
await close();
process.stdout.write(JSON.stringify(report));
