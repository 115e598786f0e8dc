import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createEngineClient } from '../../../apps/server/src/foundation/engine/engine-client.ts';
import { startEngine } from '../../../apps/server/src/foundation/engine/engine.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { createSmtpSender } from '../../../apps/server/src/foundation/mail/smtp-sender.ts';
import { mailingWork } from '../../../apps/server/src/mailing/index.ts';
import { fileClock } from '../editions/file-clock.ts';
import { baseUrl } from '../news/news-stage.ts';

export interface MailingWorkerSettings {
  readonly databaseUrl: string;
  readonly clockFile: string;
  readonly smtpUrl: string;
}

// Sends editions as a real worker does, by the suite's clock and with short waits. Killed by the suite.
const { databaseUrl, clockFile, smtpUrl } = JSON.parse(process.argv[2] ?? '') as MailingWorkerSettings;
const logger = createLogger('error', `mailing-worker ${process.pid}`);
const { database } = connectDatabase({
  url: databaseUrl,
  name: 'mailing-worker',
  connectionsMax: 5,
  statementTimeoutMs: 20_000,
  connectTimeoutMs: 10_000,
});
const clock = fileClock(clockFile);
const { sweeps = [] } = mailingWork({
  database,
  clock,
  logger,
  site: { baseUrl, language: 'en' },
  sendMail: createSmtpSender({ url: smtpUrl, from: 'Daybook <daybook@example.com>' }),
});
process.on('disconnect', () => process.exit(0));
await startEngine(
  {
    database,
    databaseUrl,
    lockUrl: databaseUrl,
    client: createEngineClient({ databaseUrl, logger }),
    clock,
    logger,
    connectionsMax: 5,
    timings: { takeoverEveryMs: 100, takeoverGraceMs: 500, reconcileEveryMs: 500 },
  },
  [{ sweeps: sweeps.map((sweep) => ({ ...sweep, everySeconds: 0.2 })) }],
);
