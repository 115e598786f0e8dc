import { randomBytes } from 'node:crypto';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createEngineClient } from '../../../apps/server/src/foundation/engine/engine-client.ts';
import { startEngine } from '../../../apps/server/src/foundation/engine/engine.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { createSmtpSender } from '../../../apps/server/src/foundation/mail/smtp-sender.ts';
import { createFetcher, ingestWork } from '../../../apps/server/src/ingest/index.ts';
import { mailingWork } from '../../../apps/server/src/mailing/index.ts';
import { newsroomWork, preparationThread } from '../../../apps/server/src/newsroom/index.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import { openModel } from '../../../apps/server/src/wiring/newsroom.ts';
import { movedClock } from '../editions/file-clock.ts';
import { baseUrl } from '../news/news-stage.ts';
import type { WireSettings } from '../wire/wire-stage.ts';

// The newsroom's share of a real worker, at the pace that the suite sets. Killed by the suite.
const settings = JSON.parse(process.argv[2] ?? '') as WireSettings;
const logger = createLogger('error', `wire-worker ${process.pid}`);
const { database } = connectDatabase({
  url: settings.databaseUrl,
  name: 'wire-worker',
  connectionsMax: 10,
  statementTimeoutMs: settings.statementTimeoutMs ?? 20_000,
  connectTimeoutMs: 10_000,
});
const clock = settings.clockFile === undefined ? systemClock : movedClock(settings.clockFile);
const ids = createIdSource({ clock, randomBytes });
const shared = { database, logger, clock, ids, publisher: createPublisher({ database, clock, ids }) };
process.on('disconnect', () => process.exit(0));
await startEngine(
  {
    database,
    databaseUrl: settings.databaseUrl,
    lockUrl: settings.databaseUrl,
    client: createEngineClient({ databaseUrl: settings.databaseUrl, logger }),
    clock,
    logger,
    connectionsMax: 10,
    ...(settings.timings && { timings: settings.timings }),
  },
  [
    ingestWork({
      ...shared,
      fetcher: createFetcher({
        userAgent: 'Daybook/prove',
        clock,
        examplePort: settings.examplePort,
      }),
      random: Math.random,
      pace: settings.pace,
      leaseMs: settings.leaseMs,
      domainsMax: 100,
    }),
    newsroomWork({
      ...shared,
      model: openModel(settings.model ?? null, database),
      prepare: preparationThread({}).prepare,
    }),
    ...(settings.smtpUrl === undefined ? [] : [mailWorkTo(settings.smtpUrl)]),
  ],
);

function mailWorkTo(url: string): ReturnType<typeof mailingWork> {
  const sendMail = createSmtpSender({ url, from: 'Daybook <daybook@example.com>' });
  return mailingWork({
    database,
    clock,
    logger,
    site: { baseUrl, language: 'en' },
    sendMail,
  });
}
