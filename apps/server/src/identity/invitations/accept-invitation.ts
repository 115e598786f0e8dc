import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findPasswordRecord, findPerson } from '../accounts/account-store.ts';
import type { AccountId, InvitedRole, OrganizationId } from '../accounts/account.ts';
import { proposeUsername } from '../accounts/propose-username.ts';
import type { Client } from '../client.ts';
import { invalidLink } from '../identity-problems.ts';
import { findMailedToken } from '../mail/mailed-token-store.ts';
import { findOrganization, setCurrentOrganization } from '../organizations/organization-store.ts';
import { findOpenInvitation } from './invitation-store.ts';

/** An invitation that is valid now. The organization's lock keeps it valid until the transaction ends. */
export interface OpenedInvitation {
  readonly organizationId: OrganizationId;
  readonly role: InvitedRole;
  /** Makes the account a member and uses the invitation. Returns false and changes nothing for a member. */
  readonly admit: (accountId: AccountId) => Promise<boolean>;
}

/**
 * The only way to join by invitation, with a new or an existing account. Null if it was accepted or cancelled or has
 * expired, if its sender has left, and if its sender may no longer grant its role. Wiring injects the decision about
 * the sender.
 */
export type OpenInvitation = (
  transaction: Database,
  deps: { readonly ids: IdSource },
  request: { readonly invitationId: string; readonly client: Client; readonly now: EpochMicroseconds },
) => Promise<OpenedInvitation | null>;

export interface AcceptInvitationDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly openInvitation: OpenInvitation;
}

export interface AcceptRequest {
  /** From the link. The link proves the invited address; the account may have another. */
  readonly token: string;
  readonly accountId: AccountId;
  readonly client: Client;
}

/** The content of an invitation, shown before it is accepted. */
export async function readInvitationLink(
  { database, clock }: Pick<AcceptInvitationDeps, 'database' | 'clock'>,
  token: string,
): Promise<{
  readonly email: string;
  /** Whether the invited address has an account. Only the owner of the mailbox has the link. */
  readonly hasAccount: boolean;
  /** A free username, derived from the address. */
  readonly username: string;
  readonly organizationName: string;
  readonly role: InvitedRole;
  readonly sender: { readonly name: string; readonly email: string };
} | null> {
  const now = clock.now();
  const id = await findMailedToken(database, 'join_organization', token, now);
  const invitation = id === null ? null : await findOpenInvitation(database, id, now);
  if (invitation === null) return null;
  const organization = await findOrganization(database, invitation.organizationId);
  const sender = await findPerson(database, invitation.sender.id);
  if (organization === null || sender === null) return null;
  const email = requireEmailAddress(invitation.email);
  return {
    email: email.written,
    hasAccount: (await findPasswordRecord(database, email.normalised)) !== null,
    username: await proposeUsername(database, [email.written]),
    organizationName: organization.name,
    role: invitation.role,
    sender,
  };
}

/** An existing account joins, and the organization becomes its current one. */
export async function acceptInvitation(
  deps: AcceptInvitationDeps,
  { token, accountId, client }: AcceptRequest,
): Promise<OrganizationId> {
  const now = deps.clock.now();
  return deps.database.transaction().execute(async (transaction) => {
    const invitationId = await findMailedToken(transaction, 'join_organization', token, now);
    const opened =
      invitationId === null
        ? null
        : await deps.openInvitation(transaction, deps, { invitationId, client, now });
    if (opened === null) throw new ProblemError(invalidLink, 'The invitation is no longer valid.');
    if (!(await opened.admit(accountId)))
      throw new ProblemError(conflict, 'You are already a member of this organization.');
    await setCurrentOrganization(transaction, accountId, { to: opened.organizationId });
    return opened.organizationId;
  });
}
