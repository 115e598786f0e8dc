import { randomBytes } from 'node:crypto';

import type { Access } from '../access/index.ts';
import { members, permissions } from '../access/index.ts';
import { createAccess, watchPermissions } from '../access/wiring.ts';
import { answers } from '../agents/index.ts';
import { createAuditRetention } from '../audit/index.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../foundation/clock.ts';
import type { DatabaseConnection } from '../foundation/database/database.ts';
import type { NotificationListener } from '../foundation/database/notification-listener.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import { createIdSource } from '../foundation/ids.ts';
import type { Logger } from '../foundation/logger.ts';
import { createLogger } from '../foundation/logger.ts';
import type { CursorKeys } from '../foundation/pagination/cursor-keys.ts';
import { createCursorKeys, deriveCursorSecrets } from '../foundation/pagination/cursor-keys.ts';
import type { Identity } from '../identity/index.ts';
import { createIdentity, identityWork, watchCredentials } from '../identity/index.ts';
import type { Bucket, StorageSettings } from '../storage/wiring.ts';
import { createStorageWork, endForbiddenUploads, openBucket } from '../storage/wiring.ts';
import { connect } from './connections.ts';
import { credentialKinds } from './credential-kinds.ts';
import { deleteAccountContents, deleteOrganizationContents } from './delete-contents.ts';
import { openMailSender } from './mailing.ts';
import { describeSecretFault } from './secret-fault.ts';

export interface Accounts {
  readonly identity: Identity;
  readonly access: Access;
  /** Null where the installation stores no files. */
  readonly storage: { readonly bucket: Bucket; readonly settings: StorageSettings } | null;
}

/** Accounts, unless the installation has no secret key and serves only news. */
export async function startAccounts(
  config: Config,
  { database }: DatabaseConnection,
  /** Without notifications, changes by other processes are noticed a second later. */
  notifications: NotificationListener | null,
  logger: Logger,
): Promise<Accounts | null> {
  if (config.identity.secretKeys.length === 0) {
    logger.warn('DAYBOOK_SECRET_KEY is not set: accounts are disabled');
    return null;
  }
  const identity = await createIdentity({
    database,
    clock: systemClock,
    openInvitation: members.openInvitation,
    checkPermission: permissions.policyFaults,
    credentialKinds,
    settings: config.identity,
  });
  const access = createAccess({
    identity,
    cursorKeys: cursorKeysOf(config),
    permissionsChanged: endForbiddenUploads,
    ownedOrganizationsMax: config.identity.ownedOrganizationsMax,
  });
  if (notifications !== null) {
    watchCredentials(notifications, (id) => {
      identity.authenticator.forget(id);
      access.forget(id);
    });
    watchPermissions(notifications, access.forget);
  }
  return { identity, access, storage: await openStorage(config) };
}

export async function openStorage({ storage }: Config): Promise<Accounts['storage']> {
  if (storage === null) return null;
  const bucket = await openBucket(storage.bucket, { groupReads: storage.nginxToken !== null });
  return { bucket, settings: storage };
}

export function cursorKeysOf({ identity }: Config): CursorKeys {
  return createCursorKeys(deriveCursorSecrets(identity.secretKeys.map((key) => Buffer.from(key, 'hex'))));
}

/** For a command that runs one operation on accounts and exits. */
export async function withIdentity(
  config: Config,
  work: (identity: Identity) => Promise<void>,
): Promise<void> {
  const logger = createLogger('warn', 'admin');
  const application = connect(config, config.database.applicationUrl, 'daybook admin');
  try {
    const accounts = await startAccounts(config, application, null, logger);
    if (accounts === null) throw new Error('set DAYBOOK_SECRET_KEY: accounts are disabled without it');
    const fault = await describeSecretFault(config, application.database);
    if (fault !== null) throw new Error(fault);
    await work(accounts.identity);
  } finally {
    await application.close();
  }
}

/** The account system's jobs in a worker. */
export async function accountWork(
  config: Config,
  { database }: DatabaseConnection,
  logger: Logger,
): Promise<EngineDeclarations> {
  if (config.identity.secretKeys.length === 0) return {};
  const sendMail = openMailSender(config);
  const work = identityWork({
    database,
    clock: systemClock,
    logger,
    settings: config.identity,
    language: config.site.language,
    sendMail,
    deleteAccountContents,
    deleteOrganizationContents,
  });
  const retention = createAuditRetention({ database, clock: systemClock, keepDays: config.audit.keepDays });
  const answerRetention = answers.createAnswerRetention({ database, clock: systemClock });
  const storage = await openStorage(config);
  const ids = createIdSource({ clock: systemClock, randomBytes });
  const ofFiles =
    storage === null ? null : createStorageWork({ ...storage, database, clock: systemClock, ids });
  return {
    ...work,
    recurringTasks: [
      ...(work.recurringTasks ?? []),
      retention,
      answerRetention,
      ...(ofFiles?.recurringTasks ?? []),
    ],
    sweeps: [...(work.sweeps ?? []), ...(ofFiles?.sweeps ?? [])],
  };
}
