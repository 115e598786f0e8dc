import { shanghaiDateOf } from '../../../apps/server/src/foundation/calendar/shanghai-time.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { SweepContext } from '../../../apps/server/src/foundation/engine/engine-declarations.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { epochMicroseconds, hourMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { createArchiveFiling } from '../../../apps/server/src/record/archive-files/write-archive-files.ts';
import type { Surface } from './item-surfaces.ts';
import type { NewsStage } from './news-stage.ts';
import { baseUrl } from './news-stage.ts';

/** In a completed month. */
const hoursAgo = 40n * 24n;

/** An item of a completed month, and where it is served: the file of the month, its entry in the list, and the archive. */
export async function placeInArchive(
  { factory, database, record }: Pick<NewsStage, 'factory' | 'database' | 'record'>,
  round: number,
): Promise<{ readonly itemId: Id<'item'>; readonly surfaces: readonly Surface[] }> {
  const word = `timbuktu${String(round).padStart(4, '0')}`;
  const title = `The ${word} archive`;
  const month = shanghaiDateOf(epochMicroseconds(systemClock.now() - hoursAgo * hourMicroseconds)).slice(
    0,
    7,
  );
  const itemId = await factory.publishSelected({ title, language: 'en', hoursAgo: Number(hoursAgo) });
  const context: Pick<SweepContext, 'transaction' | 'signal'> = {
    transaction: (work) => database.transaction().execute((transaction) => work(transaction)),
    signal: new AbortController().signal,
  };
  await createArchiveFiling({ clock: systemClock, baseUrl }).run(context as SweepContext);
  const written = (await record.archiveFiles()).find((file) => file.month === month);
  if (written === undefined) throw new Error(`the file of ${month} was not written`);
  const sha256 = written.sha256.toString('hex');
  return {
    itemId,
    surfaces: [
      { path: `/archive/${month}.jsonl.zst`, shows: ({ text }) => text.includes(title) },
      { path: '/api/v1/archive/months', shows: ({ text }) => text.includes(sha256) },
      { path: `/api/v1/archive/items?q=${word}`, shows: ({ text }) => text.includes(title) },
      { path: `/archive?q=${word}`, shows: ({ text }) => text.includes(itemId) },
    ],
  };
}
