import { systemClock } from '../src/foundation/clock.ts';
import { connectDatabase } from '../src/foundation/database/database.ts';
import { createEngineClient } from '../src/foundation/engine/engine-client.ts';
import { startEngine } from '../src/foundation/engine/engine.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { createSmtpSender } from '../src/foundation/mail/smtp-sender.ts';
import { identityWork } from '../src/identity/index.ts';
import { deleteAccountContents, deleteOrganizationContents } from '../src/wiring/delete-contents.ts';

// A worker that sends account mail. Killed by the test.
const [databaseUrl = '', smtpUrl = '', secretKey = ''] = process.argv.slice(2);
const logger = createLogger('silent', 'test');
const { database } = connectDatabase({
  url: databaseUrl,
  name: 'account mail worker',
  connectionsMax: 5,
  statementTimeoutMs: 10_000,
  connectTimeoutMs: 5_000,
});
await startEngine(
  {
    database,
    databaseUrl,
    lockUrl: databaseUrl,
    client: createEngineClient({ databaseUrl, logger }),
    clock: systemClock,
    logger,
    connectionsMax: 5,
    timings: { takeoverEveryMs: 50, takeoverGraceMs: 200, reconcileEveryMs: 60_000 },
  },
  [
    identityWork({
      database,
      clock: systemClock,
      logger,
      settings: { authUrl: 'https://d.example', secretKeys: [secretKey] },
      language: 'en',
      sendMail: createSmtpSender({ url: smtpUrl, from: 'Daybook <daybook@example.com>' }),
      deleteAccountContents,
      deleteOrganizationContents,
    }),
  ],
);
