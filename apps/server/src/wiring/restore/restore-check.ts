import { expireAllPlatformTokens } from '../../access/wiring.ts';
import type { Config } from '../../config/config.ts';
import { createCalendarClock, hourMs, systemClock } from '../../foundation/clock.ts';
import { readSchemaState } from '../../foundation/database/migrate.ts';
import { readMigrations } from '../../foundation/database/migration-files.ts';
import { endRestoredSessions, revokeAllApiKeys } from '../../identity/wiring.ts';
import { createPublicationDesk } from '../../newsroom/index.ts';
import { startNewEpoch, verifyRecord } from '../../record/wiring.ts';
import { deleteAllLinks, openBucket, verifyStorage } from '../../storage/wiring.ts';
import { connect, withDatabase } from '../connections.ts';
import { withEditorDesk } from '../newsroom.ts';
import { describeSecretFault } from '../secret-fault.ts';
import { describeEpoch, renameLog } from '../start-log-epoch.ts';
import { replayWithdrawals } from './replay-withdrawals.ts';
import type { JournaledWithdrawal } from './withdrawal-journal.ts';

export interface RestoreOptions {
  /** Null: the operator states that nothing was withdrawn since the backup. */
  readonly journal: readonly JournaledWithdrawal[] | null;
  /** Whether API keys, platform tokens and links stay valid. */
  readonly keepsKeys: boolean;
}

export interface Step {
  readonly name: string;
  readonly ok: boolean;
  readonly lines: readonly string[];
}

const name = 'daybook restore-check';

/**
 * Makes a restored database fit to be served, and verifies it. The first step that fails ends it: the ones before it can
 * be repeated. No process may serve this database meanwhile.
 */
export async function* checkRestoredDatabase(config: Config, options: RestoreOptions): AsyncGenerator<Step> {
  const steps = [
    () => checkSchema(config),
    () => checkSecret(config),
    () => endCredentials(config, options.keepsKeys),
    () => withdrawAgain(config, options.journal),
    () => startEpoch(config),
    () => renamePublicLog(config),
    () => verifyAll(config),
  ];
  for (const run of steps) {
    const step = await run();
    yield step;
    if (!step.ok) return;
  }
}

async function checkSchema(config: Config): Promise<Step> {
  const migrations = await readMigrations();
  const { pool, close } = connect(config, config.database.applicationUrl, name, { connectionsMax: 1 });
  try {
    const state = await readSchemaState(pool, migrations);
    const texts = {
      current: `all ${migrations.length} migrations are applied`,
      ahead: 'the database has newer migrations: install the release that made the backup',
      behind: 'migrations are missing: run `daybook database migrate` first',
      incompatible: 'the database is of a newer release: install the release that made the backup',
    };
    return { name: 'schema', ok: state.kind === 'current', lines: [texts[state.kind]] };
  } finally {
    await close();
  }
}

async function checkSecret(config: Config): Promise<Step> {
  const fault = await withDatabase(config, { name }, (database) => describeSecretFault(config, database));
  return { name: 'secret key', ok: fault === null, lines: [fault ?? 'opens the signing keys'] };
}

/** As the owner: no process that serves readers may change the tokens of all organizations. */
async function endCredentials(config: Config, keepsKeys: boolean): Promise<Step> {
  const now = systemClock.now();
  const lines = await withDatabase(config, { name, url: config.database.ownerUrl }, (database) =>
    database.transaction().execute(async (transaction) => {
      const { sessions, codes } = await endRestoredSessions(transaction, now);
      const ended = `${sessions} sessions ended, ${codes} codes and mailed links deleted`;
      if (keepsKeys) return [ended, 'API keys, platform tokens and links stay valid, as requested'];
      const keys = await revokeAllApiKeys(transaction, now);
      const tokens = await expireAllPlatformTokens(transaction, now);
      const links = await deleteAllLinks(transaction);
      return [ended, `${keys} API keys revoked, ${tokens} platform tokens expired, ${links} links deleted`];
    }),
  );
  return { name: 'credentials', ok: true, lines };
}

async function withdrawAgain(config: Config, journal: RestoreOptions['journal']): Promise<Step> {
  if (journal === null) return { name: 'withdrawals', ok: true, lines: ['none since the backup, as stated'] };
  const clock = createCalendarClock(config.simulatedTime);
  const lines: string[] = [];
  await withDatabase(config, { name }, (database) =>
    withEditorDesk(config, async (desk) => {
      const { withdrawn, excluded, already } = await replayWithdrawals({ database, clock, desk }, journal);
      lines.push(
        `${withdrawn} withdrawn again, ${excluded} excluded from publication, ${already} were withdrawn already`,
      );
    }),
  );
  return { name: 'withdrawals', ok: true, lines };
}

async function startEpoch(config: Config): Promise<Step> {
  const epoch = await withDatabase(config, { name }, startNewEpoch);
  return { name: 'epoch', ok: true, lines: [`started ${epoch}: mirrors download a new snapshot`] };
}

/** The backup lacks entries that were signed since: the log must not continue under a name that states them. */
async function renamePublicLog(config: Config): Promise<Step> {
  const { publicLog } = config.newsroom;
  const clock = createCalendarClock(config.simulatedTime);
  const lines = await withDatabase(config, { name }, async (database) =>
    publicLog === null
      ? ['DAYBOOK_LOG_KEY_FILE is not set: no checkpoint will be signed']
      : describeEpoch(await renameLog({ database, clock }, publicLog.keyFile)),
  );
  return { name: 'public log', ok: true, lines };
}

/** What a restore brings with it: the next worker publishes what waited, and newer files have no row. */
const expectedAfterRestore: ReadonlySet<string> = new Set(['published in time', 'digests', 'named']);

async function verifyAll(config: Config): Promise<Step> {
  const clock = createCalendarClock(config.simulatedTime);
  const options = { name, statementTimeoutMs: hourMs };
  const { storage } = config;
  const findings = await withDatabase(config, options, async (database) => [
    ...(await withDatabase(config, { ...options, url: config.database.newsReaderUrl }, (reader) =>
      verifyRecord(reader, clock.now()),
    )),
    ...(await createPublicationDesk({ database, clock }).verify()),
    ...(storage === null ? [] : await verifyStorage({ database, bucket: await openBucket(storage.bucket) })),
  ]);
  const broken = findings.filter(({ offenders }) => offenders.length > 0);
  const lines = broken.flatMap(({ name: promise, promise: text, offenders }) => [
    `${expectedAfterRestore.has(promise) ? 'expected after a restore' : 'broken'}: ${promise}: ${text}`,
    ...offenders.slice(0, 5).map((offender) => `  ${offender}`),
  ]);
  return {
    name: 'verification',
    ok: broken.every(({ name: promise }) => expectedAfterRestore.has(promise)),
    lines: [
      `${findings.length - broken.length} of ${findings.length} checks of record, newsroom and storage passed`,
      ...lines,
    ],
  };
}
