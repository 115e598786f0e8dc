import { randomBytes } from 'node:crypto';

import packageFile from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import { createCalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { isLoopbackHost } from '../foundation/http/loopback-host.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import { createIdSource } from '../foundation/ids.ts';
import { createSecretBox } from '../foundation/secret-box.ts';
import type { IngestDeps, SourceDesk } from '../ingest/index.ts';
import { createFetcher, createSourceDesk, ingestRoutes, userAgent } from '../ingest/index.ts';
import { createPublisher } from '../record/wiring.ts';
import { connect } from './connections.ts';

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

/** The callback routes of WebSub hubs. */
export function openHubRoutes(
  config: Config,
  database: Database,
  clock: CalendarClock,
): readonly RouteDeclaration[] {
  return ingestRoutes({ database, clock, ...hubSettings(config) });
}

/**
 * `secretBox` is null without a key: then sources behind a password cannot be added or polled. `hubCallbackBase` is null
 * where no hub can reach this installation over https; simulated hubs reach it on this machine.
 */
function hubSettings({
  news: { baseUrl },
  newsroom: { examplePort },
  identity: { secretKeys },
}: Config): Required<Pick<IngestDeps, 'secretBox' | 'hubCallbackBase'>> {
  const { protocol, hostname } = new URL(baseUrl);
  const isPublic = protocol === 'https:' && !isLoopbackHost(hostname);
  return {
    secretBox: secretKeys.length === 0 ? null : createSecretBox(secretKeys),
    hubCallbackBase: isPublic || examplePort !== null ? baseUrl : null,
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
