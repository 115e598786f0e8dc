import { randomBytes } from 'node:crypto';

import type { CalendarClock } from '../src/foundation/clock.ts';
import { retryConcurrentChanges } from '../src/foundation/database/concurrent-change.ts';
import { createIdSource } from '../src/foundation/ids.ts';
import { createLogger } from '../src/foundation/logger.ts';
import type { Fetcher } from '../src/ingest/fetch/fetcher.ts';
import type { IngestDeps } from '../src/ingest/ingest-work.ts';
import { createPollDeps } from '../src/ingest/ingest-work.ts';
import { pollNow } from '../src/ingest/schedule/poll-now.ts';
import type { Poller, PollReport } from '../src/ingest/schedule/poll-source.ts';
import { addSources } from '../src/ingest/sources/add-sources.ts';
import { readSource } from '../src/ingest/sources/source-store.ts';
import type { Source, SourceSettings } from '../src/ingest/sources/source.ts';
import { settingsFor } from '../src/ingest/sources/source.ts';
import type { NewsroomDeps } from '../src/newsroom/newsroom-work.ts';
import { publicationWork } from '../src/newsroom/newsroom-work.ts';
import { readUnpublished } from '../src/newsroom/publication/unpublished-entry-store.ts';
import { createPublisher } from '../src/record/wiring.ts';
import type { TestDatabase } from './database.ts';

/** A newsroom whose polls are triggered by a test. */
export function createTestNewsroom(
  { database }: Pick<TestDatabase, 'database'>,
  clock: CalendarClock,
  fetcher: Fetcher,
  more: Partial<NewsroomDeps & IngestDeps> = {},
) {
  const ids = createIdSource({ clock, randomBytes });
  const publisher = createPublisher({ database, clock, ids });
  const pace = { intervalMinMs: 600_000, intervalMaxMs: 21_600_000, spacingMs: 0 };
  const all = { database, clock, ids, publisher, fetcher, random: () => 0, pace, ...more };
  const deps = createPollDeps(all);
  const { sweeps } = publicationWork({ ...all, logger: createLogger('silent', 'test') });
  const publication = sweeps.find(({ name }) => name === 'publish-entries');
  const poller: Poller = {
    transaction: (work) => database.transaction().execute(work),
    signal: new AbortController().signal,
  };
  const stored = async (id: Source['id']): Promise<Source> => {
    const source = await readSource(database, id);
    if (source === null) throw new Error('no such source');
    return source;
  };
  return {
    allDeps: all,
    deskDeps: { ...all, polls: deps, poller },
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
    /** Publishes all landed entries, as a worker would. */
    publish: async (): Promise<void> => {
      // Another newsroom of the test may have published last.
      await database.updateTable('newsroom.story_corpus').set({ placed_by: null }).execute();
      await publication?.run({
        epoch: 1,
        enqueue: async () => {},
        transaction: (work) => retryConcurrentChanges(database, () => database.transaction().execute(work)),
        signal: poller.signal,
      });
    },
    /** Those that publication would process. */
    unpublished: async () =>
      (
        await readUnpublished(database, {
          countMax: 1_000,
          now: clock.now(),
          except: [],
          handedOverBefore: null,
        })
      ).map(({ id, revision }) => `${id} r${revision}`),
    entries: () =>
      database.selectFrom('newsroom.entry').selectAll().orderBy('discovered_at').orderBy('id').execute(),
  };
}
