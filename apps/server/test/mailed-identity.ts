import { createLogger } from '../src/foundation/logger.ts';
import { createSmtpSender } from '../src/foundation/mail/smtp-sender.ts';
import { deleteDueAccounts } from '../src/identity/deletion/delete-due-accounts.ts';
import { deleteDueOrganizations } from '../src/identity/deletion/delete-due-organizations.ts';
import { identityWork } from '../src/identity/index.ts';
import { deleteAccountContents, deleteOrganizationContents } from '../src/wiring/delete-contents.ts';
import { startTestEngine } from './engine.ts';
import type { TestIdentity, TestIdentityOptions } from './identity.ts';
import { startTestIdentity, testAuthUrl, testSecretKey } from './identity.ts';
import type { Mailbox } from './mailbox.ts';
import { startMailbox } from './mailbox.ts';

export interface MailedIdentity extends TestIdentity {
  readonly mailbox: Mailbox;
  /** The secret of the link in the newest mail to an address, once this many have arrived. */
  readonly tokenFor: (address: string, count?: number) => Promise<string>;
  /** Runs the worker's hourly jobs. */
  readonly deleteDueAccounts: () => Promise<number>;
  readonly deleteDueOrganizations: () => Promise<number>;
}

/** The account system with a worker that sends its mail to a real server on loopback. */
export async function startMailedIdentity(
  options: TestIdentityOptions & { readonly linksTo?: (port: number) => string } = {},
): Promise<MailedIdentity> {
  const { linksTo = () => testAuthUrl, ...settings } = options;
  const [stage, mailbox] = await Promise.all([startTestIdentity(settings), startMailbox()]);
  const work = identityWork({
    database: stage.database.database,
    clock: stage.clock,
    logger: createLogger('silent', 'test'),
    settings: { authUrl: linksTo(stage.app.port), secretKeys: [testSecretKey] },
    language: 'en',
    deleteAccountContents,
    deleteOrganizationContents,
    sendMail: createSmtpSender({ url: mailbox.url, from: 'Daybook <daybook@example.com>' }),
  });
  const engine = await startTestEngine(stage.database, work);
  return {
    ...stage,
    mailbox,
    deleteDueAccounts: () =>
      deleteDueAccounts({ ...stage.identity, deleteAccountContents, deleteOrganizationContents }),
    deleteDueOrganizations: () => deleteDueOrganizations({ ...stage.identity, deleteOrganizationContents }),
    tokenFor: async (address, count = 1) => (await mailbox.latestTo(address, count)).token ?? '',
    stop: async () => {
      await engine.stop(5_000);
      await mailbox.stop();
      await stage.stop();
    },
  };
}
