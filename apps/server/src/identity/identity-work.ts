import { randomBytes } from 'node:crypto';

import { dayMs } from '../foundation/clock.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import { createIdSource } from '../foundation/ids.ts';
import type { SendMail } from '../foundation/mail/smtp-sender.ts';
import { createSecretBox } from '../foundation/secret-box.ts';
import type { DeleteAccountsDeps } from './deletion/delete-due-accounts.ts';
import { deleteDueAccounts } from './deletion/delete-due-accounts.ts';
import { deleteDueOrganizations } from './deletion/delete-due-organizations.ts';
import { removeLeftovers } from './housekeeping-store.ts';
import type { IdentitySettings } from './identity.ts';
import { createMailWorkflow } from './mail-delivery/mail-workflow.ts';
import { rotateSigningKey } from './signing-keys/rotate-signing-key.ts';

export interface IdentityWorkOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: Pick<IdentitySettings, 'authUrl' | 'secretKeys'>;
  /** Null without a mail server: mail then waits in its queue for a worker that has one. */
  readonly sendMail: SendMail | null;
  readonly deleteOrganizationContents: DeleteAccountsDeps['deleteOrganizationContents'];
}

/** The monthly rotation skips younger keys: an operator may just have created one. */
const keyAgeMinMs = 7 * dayMs;

/** Background work for accounts: mail, a monthly new signing key, hourly deletions and cleanup. */
export function identityWork(options: IdentityWorkOptions): EngineDeclarations {
  const { database, clock, settings, sendMail, deleteOrganizationContents } = options;
  const ids = createIdSource({ clock, randomBytes });
  const secretBox = createSecretBox(settings.secretKeys);
  const mail =
    sendMail === null ? [] : [createMailWorkflow({ database, clock, authUrl: settings.authUrl, sendMail })];
  return {
    workflows: mail,
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
            deleteDueAccounts({ database, clock, ids, engine: context, deleteOrganizationContents }),
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
