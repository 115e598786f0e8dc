import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { WorkflowDeclaration } from '../../foundation/engine/engine-declarations.ts';
import { parseEmailAddress } from '../../foundation/mail/email-address.ts';
import type { SendMail } from '../../foundation/mail/smtp-sender.ts';
import { findPerson, lockAccount } from '../accounts/account-store.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';
import { findOpenInvitation } from '../invitations/invitation-store.ts';
import type { MailKind, MailRequest } from '../mail/mail-request-store.ts';
import { deleteMailRequest, findMailRequest } from '../mail/mail-request-store.ts';
import type { TokenPurpose } from '../mail/mailed-token-store.ts';
import { createMailedToken } from '../mail/mailed-token-store.ts';
import type { MailInput } from '../mail/request-mail.ts';
import { mailWorkflow } from '../mail/request-mail.ts';
import { findOrganization } from '../organizations/organization-store.ts';
import { createActionCode } from '../step-up/action-code-store.ts';
import type { InvitationFacts, MailFacts } from './mail-text.ts';
import { mailLinks, writeMail } from './mail-text.ts';

export interface MailWorkflowDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly authUrl: string;
  readonly sendMail: SendMail;
}

const retry = { attemptsMax: 8, firstDelaySeconds: 2, backoffFactor: 3 };

/** One step creates the link and writes the mail. After a crash in between, another link is created, never none. */
export function createMailWorkflow(deps: MailWorkflowDeps): WorkflowDeclaration<MailInput, void> {
  return {
    ...mailWorkflow,
    run: async (context, { requestId }) => {
      await context.step('send', () => sendRequested(deps, requestId), retry);
    },
  };
}

async function sendRequested(deps: MailWorkflowDeps, requestId: string): Promise<void> {
  const request = await findMailRequest(deps.database, requestId);
  if (request === null || request.subjectId === null) return;
  const invitation =
    request.kind === 'join_organization' ? await invitationFacts(deps, request.subjectId) : null;
  // Cancelled or replaced since the request.
  if (request.kind === 'join_organization' && invitation === null) return;
  const purpose = purposeOf(request.kind);
  const token = purpose === null ? null : await createLink(deps, purpose, request);
  if (purpose !== null && token === null) return;
  const confirmation =
    request.kind === 'confirm_action'
      ? await createActionCode(deps.database, request.subjectId, deps.clock.now())
      : null;
  if (request.kind === 'confirm_action' && confirmation === null) return;
  const organization = await organizationFacts(deps, request);
  if (organization === 'gone') return;
  const facts = { authUrl: deps.authUrl, token, invitation, confirmation, organization };
  const mail = writeMail(request.kind, facts);
  await deps.sendMail({ to: request.recipient, ...mail });
  // The account is deleted, so its address is stored only until the mail is sent.
  if (request.kind === 'account_deleted') await deleteMailRequest(deps.database, requestId);
}

/** Notices contain no links that grant access. */
function purposeOf(kind: MailKind): TokenPurpose | null {
  return kind in mailLinks ? (kind as TokenPurpose) : null;
}

/** Null for a password reset if the account's address has changed since the request. */
async function createLink(
  { database, clock }: MailWorkflowDeps,
  purpose: TokenPurpose,
  { recipient, subjectId }: MailRequest,
): Promise<string | null> {
  if (subjectId === null) return null;
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
  { database }: MailWorkflowDeps,
  { kind, subjectId }: MailRequest,
): Promise<MailFacts['organization'] | 'gone'> {
  if (kind !== 'organization_deletion_requested' && kind !== 'organization_deletion_cancelled') return null;
  return (await findOrganization(database, subjectId as OrganizationId)) ?? 'gone';
}

async function invitationFacts(
  { database, clock }: MailWorkflowDeps,
  invitationId: string,
): Promise<InvitationFacts | null> {
  const invitation = await findOpenInvitation(database, invitationId, clock.now());
  if (invitation === null) return null;
  const organization = await findOrganization(database, invitation.organizationId);
  const sender = await findPerson(database, invitation.sender.id);
  return organization === null || sender === null ? null : { organization, sender, role: invitation.role };
}
