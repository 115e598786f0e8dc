import type { World } from '@daybook/newswire';
import { createWorld } from '@daybook/newswire';

import type { Database } from '../../server/src/foundation/database/database.ts';
import { fromTimestamptz } from '../../server/src/foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import { instantFromMs, instantToMs, temporalInstant } from '../../server/src/foundation/instant.ts';
import type { SourceDesk } from '../../server/src/ingest/index.ts';
import { settingsFor } from '../../server/src/ingest/index.ts';

const seed = 20_260_101;
const itemsPerDay = 40;
/** Enough for a worker that keeps running; a world is generated only as far as it is read. */
const daysMax = 730;

export interface SimulatedWorld {
  readonly world: World;
  readonly startsAt: EpochMicroseconds;
}

/**
 * The world of a database: it begins when the first of its publishers became a source, and for a new database a month
 * ago.
 */
export async function openWorld(database: Database, now: EpochMicroseconds): Promise<SimulatedWorld> {
  const row = await database
    .selectFrom('newsroom.source')
    .select((select) => select.fn.min('created_at').as('first'))
    .executeTakeFirst();
  const first = row?.first ?? null;
  const startsAt = first === null ? monthBefore(now) : instantToMs(fromTimestamptz(first));
  return {
    startsAt: instantFromMs(startsAt),
    world: createWorld({ seed, startsAt, days: daysMax, itemsPerDay }),
  };
}

/** At least the last days of the last calendar month, so that a monthly edition exists. */
function monthBefore(now: EpochMicroseconds): number {
  const today = temporalInstant(now).toZonedDateTimeISO('Asia/Shanghai').startOfDay();
  const [month, lastMonth] = [today.subtract({ days: 31 }), today.with({ day: 1 }).subtract({ days: 6 })];
  return Math.min(month.epochMilliseconds, lastMonth.epochMilliseconds);
}

/** The outlets of a world as sources of a newsroom. */
export function simulatedSources(world: World): Parameters<SourceDesk['add']>[0] {
  return world.sources().map(({ name, owner, firstParty, language, feedUrl, siteUrl, tier, categoryHint }) =>
    settingsFor(new URL(feedUrl), {
      name,
      owner,
      firstParty,
      language,
      tier,
      categoryHint,
      homepageUrl: siteUrl,
    }),
  );
}
