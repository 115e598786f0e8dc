import { setTimeout as delay } from 'node:timers/promises';

import { expireAllPlatformTokens } from '../../access/wiring.ts';
import { scheduleMails } from '../../agents/schedules/index.ts';
import type { Config } from '../../config/config.ts';
import { createCalendarClock, hourMs, systemClock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { readConnectedProcesses } from '../../foundation/database/login-state-store.ts';
import { readSchemaState } from '../../foundation/database/migrate.ts';
import { readMigrations } from '../../foundation/database/migration-files.ts';
import { createSecretBox } from '../../foundation/secret-box.ts';
import { endRestoredSessions, revokeAllApiKeys } from '../../identity/wiring.ts';
import { stopRestoredMail } from '../../mailing/wiring.ts';
import { createPublicationDesk } from '../../newsroom/index.ts';
import { startNewEpoch, verifyRecord } from '../../record/wiring.ts';
import { deleteAllLinks, openBucket, verifyStorage } from '../../storage/wiring.ts';
import { deleteAllAddresses, stopRestoredWatchMail } from '../../watch/wiring.ts';
import { connect, withDatabase } from '../connections.ts';
import { withEditorDesk } from '../newsroom.ts';
import { describeSecretFault } from '../secret-fault.ts';
import { describeEpoch, renameLog } from '../start-log-epoch.ts';
import { endSubscriptionsAgain, withdrawAgain } from './apply-revocations.ts';
import { changeAccountsAgain } from './change-accounts-again.ts';
import type { Revocation } from './revocation.ts';

export interface RestoreOptions {
  /** Null: the operator states that nothing was withdrawn or revoked since the backup. */
  readonly revocations: readonly Revocation[] | null;
  /** Whether API keys, platform tokens and links stay valid. */
  readonly keepsKeys: boolean;
  /** The database is deleted afterwards: files outside of it, such as the keys of the public log, do not change. */
  readonly isDrill?: boolean;
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
    () => checkUnused(config),
    () => endCredentials(config, options.keepsKeys),
    () => stopMail(config),
    () => applyRevocations(config, options.revocations),
    () => startEpoch(config),
    ...(options.isDrill === true ? [] : [() => renamePublicLog(config)]),
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

const servingProcesses = ['daybook api', 'daybook worker'];

/** A process that is connected serves what this command is about to end. */
async function checkUnused(config: Config): Promise<Step> {
  const { pool, close } = connect(config, config.database.applicationUrl, name, { connectionsMax: 1 });
  try {
    let processes = await readConnectedProcesses(pool, servingProcesses);
    // PostgreSQL notices a moment later that a process has stopped.
    for (let tries = 0; processes.length > 0 && tries < 10; tries += 1) {
      await delay(200);
      processes = await readConnectedProcesses(pool, servingProcesses);
    }
    const lines =
      processes.length === 0
        ? ['no api and no worker process is connected']
        : [`connected: ${processes.join(', ')}. Stop them first: they serve this database`];
    return { name: 'processes', ok: processes.length === 0, lines };
  } finally {
    await close();
  }
}

/** As the owner: no process that serves readers may change the tokens of all organizations. */
async function endCredentials(config: Config, keepsKeys: boolean): Promise<Step> {
  const now = systemClock.now();
  const lines = await asOwner(config, async (transaction) => {
    const { sessions, codes, invitations, mails } = await endRestoredSessions(transaction, now);
    const ended = [
      `${sessions} sessions ended, ${codes} codes and mailed links deleted`,
      `${invitations} invitations cancelled, ${mails} unsent mails to accounts discarded`,
    ];
    if (keepsKeys)
      return [
        ...ended,
        'API keys, platform tokens, links, feed addresses and webhooks stay valid, as requested',
      ];
    const keys = await revokeAllApiKeys(transaction, now);
    const tokens = await expireAllPlatformTokens(transaction, now);
    const links = await deleteAllLinks(transaction);
    const { feeds, webhooks } = await deleteAllAddresses(transaction);
    return [
      ...ended,
      `${keys} API keys revoked, ${tokens} platform tokens expired, ${links} links deleted`,
      `${feeds} private feed addresses and ${webhooks} webhooks deleted`,
    ];
  });
  return { name: 'credentials', ok: true, lines };
}

async function stopMail(config: Config): Promise<Step> {
  const now = createCalendarClock(config.simulatedTime).now();
  const lines = await asOwner(config, async (transaction) => {
    const reports = await stopRestoredMail(transaction, now);
    const scheduled = await scheduleMails.stopRestoredScheduleMail(transaction, now);
    const { undelivered, searches } = await stopRestoredWatchMail(transaction, now);
    return [
      `${scheduled} mails of schedules listed as undelivered`,
      `${reports} mails with reports listed as undelivered; reports of the time before this restore are not mailed`,
      `${undelivered} mails of saved searches listed as undelivered; mail of ${searches} saved searches ended`,
    ];
  });
  return { name: 'mail', ok: true, lines };
}

function asOwner<Value>(config: Config, work: (transaction: Database) => Promise<Value>): Promise<Value> {
  return withDatabase(config, { name, url: config.database.ownerUrl }, (database) =>
    database.transaction().execute(work),
  );
}

async function applyRevocations(config: Config, revocations: RestoreOptions['revocations']): Promise<Step> {
  const step = { name: 'revocations', ok: true };
  if (revocations === null) return { ...step, lines: ['none since the backup, as stated'] };
  const clock = createCalendarClock(config.simulatedTime);
  const { secretKeys } = config.identity;
  const secretBox = secretKeys.length === 0 ? null : createSecretBox(secretKeys);
  const lines: string[] = [];
  await withDatabase(config, { name }, (database) =>
    withEditorDesk(config, async (desk) => {
      const items = await withdrawAgain({ database, clock, desk }, ofKind(revocations, 'withdrawal'));
      lines.push(
        `items: ${items.withdrawn} withdrawn again, ${items.excluded} excluded from publication, ${items.already} were withdrawn already`,
      );
      const ended = await endSubscriptionsAgain({ database, clock }, ofKind(revocations, 'subscription'));
      lines.push(`mail: ${ended} subscriptions ended again`);
      const accounts = { database, clock: systemClock, secretBox };
      const { closed, deletions, removedMembers, review } = await changeAccountsAgain(
        accounts,
        ofKind(revocations, 'event'),
      );
      lines.push(
        `accounts: sign-in methods of ${closed} removed, and a link to set a password mailed; ${removedMembers} members removed again, ${deletions} deletions requested again`,
        ...review.map((sentence) => `review: ${sentence}`),
      );
    }),
  );
  return { ...step, lines };
}

function ofKind<Kind extends Revocation['kind']>(
  revocations: readonly Revocation[],
  kind: Kind,
): readonly Extract<Revocation, { readonly kind: Kind }>[] {
  return revocations.filter((one): one is Extract<Revocation, { readonly kind: Kind }> => one.kind === kind);
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
