import { randomBytes } from 'node:crypto';

import packageFile from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import { createCalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { createIdSource } from '../foundation/ids.ts';
import type { IngestDeps, SourceDesk } from '../ingest/index.ts';
import { createFetcher, createSourceDesk, userAgent } from '../ingest/index.ts';
import { createPublisher } from '../record/wiring.ts';
import { connect } from './connections.ts';
import { hubSettings } from './hub-routes.ts';

/** Opens the fetcher and the other dependencies of polls, for a worker or a command. */
export function openIngest(
  config: Config,
  database: Database,
  clock: CalendarClock,
): { readonly deps: IngestDeps; readonly close: () => Promise<void> } {
  const ids = createIdSource({ clock, randomBytes });
  const fetcher = createFetcher({
    userAgent: userAgent(packageFile.version, `${config.news.baseUrl}/terms`),
    clock,
    examplePort: config.newsroom.examplePort,
  });
  return {
    deps: {
      database,
      clock,
      ids,
      publisher: createPublisher({ database, clock, ids }),
      fetcher,
      random: Math.random,
      ...hubSettings(config),
    },
    close: () => fetcher.close(),
  };
}

/** Runs a command that works with sources. Its polls need no worker: domain leases separate them from a worker's polls. */
export async function withSourceDesk(
  config: Config,
  signal: AbortSignal,
  work: (desk: SourceDesk) => Promise<void>,
): Promise<void> {
  const application = connect(config, config.database.applicationUrl, 'daybook sources');
  const { database } = application;
  const ingest = openIngest(config, database, createCalendarClock(config.simulatedTime));
  try {
    const desk = createSourceDesk({
      ...ingest.deps,
      poller: { transaction: (inside) => database.transaction().execute(inside), signal },
    });
    await work(desk);
  } finally {
    await ingest.close();
    await application.close();
  }
}
