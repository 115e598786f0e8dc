import type { Sweep, WorkflowDeclaration } from '../../foundation/engine/engine-declarations.ts';
import { parseEmailAddress } from '../../foundation/mail/email-address.ts';
import type { OutboxDeps } from '../../foundation/mail/outbox.ts';
import { createOutboxSweep } from '../../foundation/mail/outbox.ts';
import type { MailToSend } from '../../foundation/mail/smtp-sender.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { findPerson, lockAccount } from '../accounts/account-store.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';
import { findOpenInvitation } from '../invitations/invitation-store.ts';
import type { MailKind, MailRequest } from '../mail/mail-request-store.ts';
import {
  accountMailLimits,
  claimMailRequest,
  moveToOutbox,
  settleMailRequest,
} from '../mail/mail-request-store.ts';
import type { TokenPurpose } from '../mail/mailed-token-store.ts';
import { createMailedToken } from '../mail/mailed-token-store.ts';
import { findOrganization } from '../organizations/organization-store.ts';
import { createActionCode } from '../step-up/action-code-store.ts';
import type { InvitationFacts, MailFacts } from './mail-text.ts';
import { mailLinks, writeMail } from './mail-text.ts';

export interface AccountMailDeps extends OutboxDeps {
  readonly authUrl: string;
  /** Of the installation. */
  readonly language: ReaderLanguage;
}

export function createAccountMailSweep(deps: AccountMailDeps): Sweep {
  return createOutboxSweep(deps, {
    ...accountMailLimits,
    name: 'send-account-mail',
    // People wait for codes and links.
    everySeconds: 0.25,
    claim: claimMailRequest,
    compose: (request) => composeAccountMail(deps, request),
    settle: settleMailRequest,
  });
}

/** Processes of earlier releases enqueue a run for each mail. It puts the mail into the outbox. */
export function createMailWorkflow({
  database,
  clock,
}: Pick<AccountMailDeps, 'database' | 'clock'>): WorkflowDeclaration<{ readonly requestId: string }, void> {
  return {
    name: 'identity-mail',
    queue: { name: 'identity-mail', runningPerProcessMax: 4 },
    run: (context, { requestId }) =>
      context.step('send', () => moveToOutbox(database, requestId, clock.now())),
  };
}

/**
 * Creates the link or the code of the mail. When the mail is composed again, another one is created, never none. Null
 * if the subject of the mail was cancelled, replaced or deleted since the request.
 */
async function composeAccountMail(deps: AccountMailDeps, request: MailRequest): Promise<MailToSend | null> {
  const { kind, recipient, subjectId } = request;
  if (subjectId === null) return null;
  const invitation = kind === 'join_organization' ? await invitationFacts(deps, subjectId) : null;
  if (kind === 'join_organization' && invitation === null) return null;
  const purpose = purposeOf(kind);
  const token = purpose === null ? null : await createLink(deps, purpose, recipient, subjectId);
  if (purpose !== null && token === null) return null;
  const confirmation =
    kind === 'confirm_action' ? await createActionCode(deps.database, subjectId, deps.clock.now()) : null;
  if (kind === 'confirm_action' && confirmation === null) return null;
  const organization = await organizationFacts(deps, request);
  if (organization === 'gone') return null;
  const facts = { authUrl: deps.authUrl, token, invitation, confirmation, organization };
  return { to: recipient, ...writeMail(kind, facts, deps.language) };
}

/** Notices contain no links that grant access. */
function purposeOf(kind: MailKind): TokenPurpose | null {
  return kind in mailLinks ? (kind as TokenPurpose) : null;
}

/** Null for a password reset if the account's address has changed since the request. */
async function createLink(
  { database, clock }: AccountMailDeps,
  purpose: TokenPurpose,
  recipient: string,
  subjectId: string,
): Promise<string | null> {
  if (purpose !== 'reset_password') return createMailedToken(database, purpose, subjectId, clock.now());
  return database.transaction().execute(async (transaction) => {
    const accountId = subjectId as AccountId;
    // A change of address voids existing links: it must find this one, or be found here.
    await lockAccount(transaction, accountId);
    const person = await findPerson(transaction, accountId);
    const email = parseEmailAddress(recipient);
    if (!email.ok || person?.emailNormalised !== email.value.normalised) return null;
    return createMailedToken(transaction, purpose, subjectId, clock.now());
  });
}

async function organizationFacts(
  { database }: AccountMailDeps,
  { kind, subjectId }: MailRequest,
): Promise<MailFacts['organization'] | 'gone'> {
  if (kind !== 'organization_deletion_requested' && kind !== 'organization_deletion_cancelled') return null;
  return (await findOrganization(database, subjectId as OrganizationId)) ?? 'gone';
}

async function invitationFacts(
  { database, clock }: AccountMailDeps,
  invitationId: string,
): Promise<InvitationFacts | null> {
  const invitation = await findOpenInvitation(database, invitationId, clock.now());
  if (invitation === null) return null;
  const organization = await findOrganization(database, invitation.organizationId);
  const sender = await findPerson(database, invitation.sender.id);
  return organization === null || sender === null ? null : { organization, sender, role: invitation.role };
}
