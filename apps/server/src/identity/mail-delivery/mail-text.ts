import { parseDisplayName } from '../accounts/display-name.ts';
import type { CredentialNews, MailKind } from '../mail/mail-request-store.ts';
import type { GuardedAction } from '../step-up/guarded-action.ts';
import { guardedActions } from '../step-up/guarded-action.ts';

export interface Mail {
  readonly subject: string;
  readonly text: string;
}

export interface MailFacts {
  readonly authUrl: string;
  readonly token: string | null;
  /** The organization, sender and role of an invitation. */
  readonly invitation: InvitationFacts | null;
  /** The code that confirms an action, and which action. */
  readonly confirmation: { readonly code: string; readonly action: GuardedAction } | null;
  /** The account or organization that is deleted. */
  readonly organization: { readonly key: string; readonly name: string } | null;
}

export interface InvitationFacts {
  readonly organization: { readonly key: string; readonly name: string };
  readonly sender: { readonly username: string; readonly name: string; readonly email: string };
  readonly role: string;
}

/** The paths of links in mail; the site serves the pages. */
export const mailLinks = {
  confirm_sign_up: '/auth/confirm',
  reset_password: '/auth/reset',
  join_organization: '/auth/join',
  confirm_email: '/account/email/confirm',
  undo_email: '/auth/undo-email',
} as const;

export function writeMail(kind: MailKind, facts: MailFacts): Mail {
  const { authUrl, token, invitation } = facts;
  // In the URL fragment it would reach no log, but the page would need a script: so it is in the query, once.
  const link = (path: string): string => `${authUrl}${path}?token=${token ?? ''}`;
  switch (kind) {
    case 'confirm_sign_up':
      return {
        subject: 'Confirm your e-mail address',
        text: `To create your Daybook account, confirm this e-mail address within 24 hours:\n${link(mailLinks.confirm_sign_up)}\n\nIf you did not sign up, ignore this e-mail. No account is created.\n`,
      };
    case 'account_exists':
      return {
        subject: 'You already have an account',
        text: `A sign-up at Daybook used this e-mail address, which already has an account.\n\nSign in: ${authUrl}/auth/signin\nReset your password: ${authUrl}/auth/forgot\n`,
      };
    case 'reset_password':
      return {
        subject: 'Set a new password',
        text: `To set a new password for your Daybook account, open this link. It works once and expires after one hour:\n${link(mailLinks.reset_password)}\n\nIf you did not request this, ignore this e-mail. Your password does not change.\n`,
      };
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        text: `The password of your Daybook account was changed, and all other sessions were signed out.\n\nIf you did not do this, set a new password now: ${authUrl}/auth/forgot\n`,
      };
    case 'sign_in_changed':
      return {
        subject: 'Your sign-in settings were changed',
        text: `The sign-in settings of your Daybook account were changed. Review the credentials with access to your account: ${authUrl}/account/security\n\nIf you did not do this, set a new password now: ${authUrl}/auth/forgot\n`,
      };
    case 'confirm_email':
    case 'email_taken':
    case 'undo_email':
      return writeAddressMail(kind, authUrl, link);
    case 'confirm_action':
      return writeConfirmation(facts);
    case 'passkey_added':
    case 'provider_linked':
    case 'api_key_created':
    case 'platform_token_created':
    case 'signed_in_from_new_place':
      return writeCredentialNews(kind, authUrl);
    case 'deletion_requested':
    case 'deletion_cancelled':
    case 'account_deleted':
      return writeDeletionMail(kind, authUrl);
    case 'organization_deletion_requested':
    case 'organization_deletion_cancelled':
      return writeOrganizationDeletion(kind, facts);
    case 'join_organization':
      return writeInvitation(invitation, link(mailLinks.join_organization));
    default:
      throw new Error(`no text for ${String(kind satisfies never)}`);
  }
}

function writeAddressMail(
  kind: 'confirm_email' | 'email_taken' | 'undo_email',
  authUrl: string,
  link: (path: string) => string,
): Mail {
  switch (kind) {
    case 'confirm_email':
      return {
        subject: 'Confirm your new e-mail address',
        text: `To use this e-mail address for your Daybook account, confirm it within 24 hours while you are signed in:\n${link(mailLinks.confirm_email)}\n\nIf you did not request this, ignore this e-mail. Nothing changes.\n`,
      };
    case 'email_taken':
      return {
        subject: 'Your e-mail address is already in use',
        text: `Another Daybook account requested to use this e-mail address, which already has an account. Nothing was changed.\n\nSign in: ${authUrl}/auth/signin\n`,
      };
    case 'undo_email':
      return {
        subject: 'Your e-mail address was changed',
        text: `The e-mail address of your Daybook account was changed. You can no longer sign in with this address.\n\nIf you did not do this, undo the change within 7 days. This revokes all access to the account, and you set a new password:\n${link(mailLinks.undo_email)}\n`,
      };
    default:
      throw new Error(`no text for ${String(kind satisfies never)}`);
  }
}

const credentialNews: Readonly<Record<CredentialNews, { readonly subject: string; readonly text: string }>> =
  {
    passkey_added: {
      subject: 'A passkey was added to your account',
      text: 'A passkey was added to your Daybook account. It can be used to sign in.',
    },
    provider_linked: {
      subject: 'A sign-in provider was linked to your account',
      text: 'A sign-in provider was linked to your Daybook account. It can be used to sign in.',
    },
    api_key_created: {
      subject: 'An API key was created for your account',
      text: 'An API key was created for your Daybook account. Programs with this key can access your account.',
    },
    platform_token_created: {
      subject: 'A platform token was created in your name',
      text: 'A platform token was created in your name at Daybook. Programs with this token can access your organization.',
    },
    signed_in_from_new_place: {
      subject: 'New sign-in to your account',
      text: 'Your Daybook account was signed in to from a browser and network that were not used in the last 30 days.',
    },
  };

function writeCredentialNews(kind: CredentialNews, authUrl: string): Mail {
  const { subject, text } = credentialNews[kind];
  return {
    subject,
    text: `${text}\n\nReview and revoke access on your security page: ${authUrl}/account/security\n\nIf you did not do this, revoke the access there and set a new password: ${authUrl}/auth/forgot\n`,
  };
}

function writeConfirmation({ authUrl, confirmation }: MailFacts): Mail {
  if (confirmation === null) throw new Error('a confirmation without its code');
  const { code, action } = confirmation;
  return {
    subject: `Your code is ${code}`,
    text: `Enter this code to ${guardedActions[action]}:\n\n${code}\n\nThe code works once and expires after 10 minutes. It is valid only in the browser that requested it.\n\nIf you did not request this, do not share the code. Sign out unknown sessions: ${authUrl}/account/security\n`,
  };
}

function writeDeletionMail(
  kind: 'deletion_requested' | 'deletion_cancelled' | 'account_deleted',
  authUrl: string,
): Mail {
  switch (kind) {
    case 'deletion_requested':
      return {
        subject: 'Your account will be deleted',
        text: `You requested the deletion of your Daybook account. All access is revoked, including passkeys and sign-in providers. The account, and organizations without other members, will be deleted in 30 days.\n\nTo cancel the deletion, sign in with your password before then: ${authUrl}/auth/signin\nIf you have no password, set one first: ${authUrl}/auth/forgot\n\nIf you did not request this, also set a new password: ${authUrl}/auth/forgot\n`,
      };
    case 'deletion_cancelled':
      return {
        subject: 'Account deletion cancelled',
        text: `The deletion of your Daybook account was cancelled by a sign-in. API keys and tokens that were revoked are not restored.\n\nTo delete the account, request it again: ${authUrl}/account/data/delete\n\nIf you did not sign in, set a new password now: ${authUrl}/auth/forgot\n`,
      };
    case 'account_deleted':
      return {
        subject: 'Your account was deleted',
        text: `Your Daybook account, and organizations without other members, were deleted after 30 days. This is the last e-mail. Your address is no longer stored.\n`,
      };
    default:
      throw new Error(`no text for ${String(kind satisfies never)}`);
  }
}

function writeOrganizationDeletion(
  kind: 'organization_deletion_requested' | 'organization_deletion_cancelled',
  { authUrl, organization }: MailFacts,
): Mail {
  if (organization === null) throw new Error('the deletion of an organization without its name');
  const name = quotedName(organization.name, organization.key);
  return kind === 'organization_deletion_requested'
    ? {
        subject: `The organization ${name} will be deleted`,
        text: `An owner of the organization ${name} on Daybook requested its deletion. Access for members, tokens, shares and links is disabled. In 30 days the organization and its files are deleted permanently.\n\nAs an owner, you can restore the organization before then: ${authUrl}/platform\n`,
      }
    : {
        subject: `The organization ${name} was restored`,
        text: `An owner of the organization ${name} on Daybook cancelled its deletion. Its members, tokens, shares and links work again. Invitations were cancelled and must be sent again.\n\nOrganizations: ${authUrl}/platform\n`,
      };
}

function writeInvitation(invitation: InvitationFacts | null, link: string): Mail {
  if (invitation === null) throw new Error('an invitation without its facts');
  const { organization, sender, role } = invitation;
  const [where, who] = [
    quotedName(organization.name, organization.key),
    quotedName(sender.name, sender.username),
  ];
  return {
    subject: `${who} invites you to join ${where} on Daybook`,
    text: `${who} (${sender.email}) invites you to join the organization ${where} on Daybook as ${role}.\n\nThe sender chose the names in quotes. If you do not know the sender, ignore this e-mail.\n\nThe link works once and expires after one week:\n${link}\n`,
  };
}

/**
 * Quotes a name that its owner chose: the name cannot close the quotes. A name that was stored before the rules for
 * names is replaced by the plain one.
 */
function quotedName(name: string, plain: string): string {
  const parsed = parseDisplayName(name, { reserved: 'accepted' });
  return `“${(parsed.ok ? parsed.value : plain).replaceAll(/["“”„‟«»‹›「」『』]/g, "'")}”`;
}
