import { randomBytes } from 'node:crypto';

import { dayMs } from '../foundation/clock.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import { createIdSource } from '../foundation/ids.ts';
import type { Logger } from '../foundation/logger.ts';
import type { SendMail } from '../foundation/mail/smtp-sender.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import { createSecretBox } from '../foundation/secret-box.ts';
import type { DeleteAccountsDeps } from './deletion/delete-due-accounts.ts';
import { deleteDueAccounts } from './deletion/delete-due-accounts.ts';
import { deleteDueOrganizations } from './deletion/delete-due-organizations.ts';
import { removeLeftovers } from './housekeeping-store.ts';
import type { IdentitySettings } from './identity.ts';
import { createAccountMailSweep, createMailWorkflow } from './mail-delivery/send-account-mail.ts';
import { rotateSigningKey } from './signing-keys/rotate-signing-key.ts';

export interface IdentityWorkOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: Pick<IdentitySettings, 'authUrl' | 'secretKeys'>;
  /** Of the installation, for mail. */
  readonly language: ReaderLanguage;
  /** Null without a mail server: mail then waits for a worker that has one. */
  readonly sendMail: SendMail | null;
  readonly deleteAccountContents: DeleteAccountsDeps['deleteAccountContents'];
  readonly deleteOrganizationContents: DeleteAccountsDeps['deleteOrganizationContents'];
}

/** The monthly rotation skips younger keys: an operator may just have created one. */
const keyAgeMinMs = 7 * dayMs;

/** Background work for accounts: mail, a monthly new signing key, hourly deletions and cleanup. */
export function identityWork(options: IdentityWorkOptions): EngineDeclarations {
  const { database, clock, logger, settings, language, sendMail } = options;
  const { deleteAccountContents, deleteOrganizationContents } = options;
  const ids = createIdSource({ clock, randomBytes });
  const secretBox = createSecretBox(settings.secretKeys);
  const { authUrl } = settings;
  return {
    workflows: [createMailWorkflow({ database, clock })],
    sweeps:
      sendMail === null
        ? []
        : [createAccountMailSweep({ database, clock, logger, authUrl, language, sendMail })],
    recurringTasks: [
      {
        name: 'identity-signing-key',
        every: 'month',
        run: (context) =>
          context.transaction('rotate', (transaction) =>
            rotateSigningKey(transaction, { clock, ids, secretBox }, keyAgeMinMs),
          ),
      },
      {
        name: 'identity-housekeeping',
        every: 'hour',
        run: (context) => context.step('remove', () => removeLeftovers(database, clock.now())),
      },
      {
        name: 'identity-account-deletion',
        every: 'hour',
        run: (context) =>
          context.step('delete', () =>
            deleteDueAccounts({
              database,
              clock,
              ids,
              deleteAccountContents,
              deleteOrganizationContents,
            }),
          ),
      },
      {
        name: 'identity-organization-deletion',
        every: 'hour',
        run: (context) =>
          context.step('delete', () =>
            deleteDueOrganizations({ database, clock, ids, deleteOrganizationContents }),
          ),
      },
    ],
  };
}
