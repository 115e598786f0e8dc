import { randomBytes } from 'node:crypto';

import type { CalendarClock } from '../src/foundation/clock.ts';
import { createIdSource } from '../src/foundation/ids.ts';
import type { NewsroomDeps } from '../src/newsroom/newsroom-work.ts';
import { createPollDeps } from '../src/newsroom/newsroom-work.ts';
import { addSources } from '../src/newsroom/sources/add-sources.ts';
import { readSource } from '../src/newsroom/sources/source-store.ts';
import type { Source, SourceSettings } from '../src/newsroom/sources/source.ts';
import { settingsFor } from '../src/newsroom/sources/source.ts';
import type { Fetcher } from '../src/newsroom/wire/fetch/fetcher.ts';
import { pollNow } from '../src/newsroom/wire/schedule/poll-now.ts';
import type { Poller, PollReport } from '../src/newsroom/wire/schedule/poll-source.ts';
import { createPublisher } from '../src/record/index.ts';
import type { TestDatabase } from './database.ts';

/** A newsroom whose polls happen when a test says so; what it would enqueue is listed. */
export function createTestNewsroom(
  { database }: TestDatabase,
  clock: CalendarClock,
  fetcher: Fetcher,
  more: Partial<NewsroomDeps> = {},
) {
  const ids = createIdSource({ clock, randomBytes });
  const publisher = createPublisher({ database, clock, ids });
  const pace = { intervalMinMs: 600_000, intervalMaxMs: 21_600_000, spacingMs: 0 };
  const deps = createPollDeps({ database, clock, ids, publisher, fetcher, random: () => 0, pace, ...more });
  const enqueued: string[] = [];
  const poller: Poller = {
    transaction: (work) => database.transaction().execute(work),
    enqueue: async (_transaction, { name }, { id }) => void enqueued.push(`${name} ${id}`),
    signal: new AbortController().signal,
  };
  const stored = async (id: Source['id']): Promise<Source> => {
    const source = await readSource(database, id);
    if (source === null) throw new Error('no such source');
    return source;
  };
  return {
    enqueued,
    deskDeps: { database, clock, ids, publisher, polls: deps, poller },
    stored,
    add: async (feedUrl: string, given: Partial<SourceSettings> = {}): Promise<Source> => {
      const [added] = await addSources({ database, clock, ids, publisher }, [
        settingsFor(new URL(feedUrl), given),
      ]);
      if (added?.id === undefined || added.id === null) throw new Error('already there');
      return stored(added.id);
    },
    poll: async (source: Source): Promise<PollReport> => {
      const reports: PollReport[] = [];
      await pollNow(deps, poller, database, [source], (_, report) => reports.push(report));
      const [report] = reports;
      if (report === undefined) throw new Error('the poll was given up');
      return report;
    },
    entries: () =>
      database.selectFrom('newsroom.entry').selectAll().orderBy('discovered_at').orderBy('id').execute(),
  };
}
