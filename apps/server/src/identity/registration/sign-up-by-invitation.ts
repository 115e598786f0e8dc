import type { Database } from '../../foundation/database/database.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { AccountId } from '../accounts/account.ts';
import { nameFromEmail } from '../accounts/display-name.ts';
import type { Client } from '../client.ts';
import { invalidLink } from '../identity-problems.ts';
import type { AcceptInvitationDeps } from '../invitations/accept-invitation.ts';
import type { Invitation } from '../invitations/invitation-store.ts';
import { findOpenInvitation } from '../invitations/invitation-store.ts';
import { findMailedToken } from '../mail/mailed-token-store.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rule.ts';
import { createAccount } from './create-account.ts';
import { requireFreeUsername, requireUsername } from './sign-up.ts';

export interface SignUpByInvitationRequest {
  /** From the link of the invitation. It proves that the person reads mail to the invited address. */
  readonly token: string;
  readonly username: string;
  readonly password: string;
  readonly client: Client;
}

/**
 * Creates an account for the invited address and accepts the invitation, in one transaction. The address is that of the
 * invitation and needs no second confirmation. If the invitation ended meanwhile, no account is created.
 */
export async function signUpByInvitation(
  deps: AcceptInvitationDeps & { readonly hasher: PasswordHasher },
  { token, username: writtenUsername, password, client }: SignUpByInvitationRequest,
): Promise<AccountId> {
  const { database, clock } = deps;
  const invited = await requireInvitation(database, token, clock.now());
  const username = requireUsername(writtenUsername);
  const email = requireEmailAddress(invited.email);
  const name = nameFromEmail(email.written, username);
  await requireGoodPassword(password, { username, email: email.written, name });
  await requireFreeUsername(database, username);
  const place = deps.hasher.reserveSlot();
  const passwordHash = await place.hash(password).finally(place.leave);
  const now = clock.now();
  return database.transaction().execute(async (transaction) => {
    const { id: invitationId } = await requireInvitation(transaction, token, now);
    const opened = await deps.openInvitation(transaction, deps, { invitationId, client, now });
    if (opened === null) throw endedInvitation();
    const account = { username, email, name, passwordHash, joins: opened, client };
    const accountId = await createAccount(transaction, deps, account);
    await opened.admit(accountId);
    return accountId;
  });
}

async function requireInvitation(
  database: Database,
  token: string,
  now: ReturnType<AcceptInvitationDeps['clock']['now']>,
): Promise<Invitation> {
  const id = await findMailedToken(database, 'join_organization', token, now);
  const invitation = id === null ? null : await findOpenInvitation(database, id, now);
  if (invitation === null) throw endedInvitation();
  return invitation;
}

function endedInvitation(): ProblemError {
  return new ProblemError(invalidLink, 'The invitation is no longer valid.');
}
