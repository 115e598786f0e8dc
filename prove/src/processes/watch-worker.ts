import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createEngineClient } from '../../../apps/server/src/foundation/engine/engine-client.ts';
import { startEngine } from '../../../apps/server/src/foundation/engine/engine.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { createSmtpSender } from '../../../apps/server/src/foundation/mail/smtp-sender.ts';
import { createPostOnce } from '../../../apps/server/src/foundation/outbound/post-once.ts';
import { createSecretBox } from '../../../apps/server/src/foundation/secret-box.ts';
import { createRecordWork } from '../../../apps/server/src/record/wiring.ts';
import { watchWork } from '../../../apps/server/src/watch/wiring.ts';
import { fileClock } from '../editions/file-clock.ts';
import { baseUrl } from '../news/news-stage.ts';

export interface WatchWorkerSettings {
  readonly databaseUrl: string;
  readonly clockFile: string;
  readonly smtpUrl: string;
  readonly secretKey: string;
  /** The receiver of `*.example`. */
  readonly receiverPort: number;
  /** What the name server answers for every other name. */
  readonly privateAddresses: readonly string[];
}

// Orders the public log, compares, mails and posts as a real worker does, by the suite's clock and with short waits.
// Killed by the suite.
const settings = JSON.parse(process.argv[2] ?? '') as WatchWorkerSettings;
const { databaseUrl, smtpUrl, receiverPort, privateAddresses } = settings;
const logger = createLogger('error', `watch-worker ${process.pid}`);
const { database } = connectDatabase({
  url: databaseUrl,
  name: 'watch-worker',
  connectionsMax: 5,
  statementTimeoutMs: 20_000,
  connectTimeoutMs: 10_000,
});
const clock = fileClock(settings.clockFile);
const { sweeps: ofRecord = [] } = createRecordWork({
  database,
  clock,
  caches: [],
  logger,
  signer: null,
  baseUrl,
});
const { sweeps: ofWatch = [] } = watchWork({
  database,
  clock,
  logger,
  baseUrl,
  storyLayer: true,
  secretBox: createSecretBox([settings.secretKey]),
  sendMail: createSmtpSender({ url: smtpUrl, from: 'Daybook <daybook@example.com>' }),
  post: createPostOnce({ examplePort: receiverPort, resolve: () => Promise.resolve(privateAddresses) }),
  userAgent: 'Daybook/prove',
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
  [{ sweeps: [...ofRecord, ...ofWatch].map((sweep) => ({ ...sweep, everySeconds: 0.2 })) }],
);
