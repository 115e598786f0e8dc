import { parseDisplayName } from '../accounts/display-name.ts';
import type { MailKind } from './mail-request-store.ts';

export interface Mail {
  readonly subject: string;
  readonly text: string;
}

export interface MailFacts {
  readonly authUrl: string;
  readonly token: string | null;
  /** What an invitation is about. */
  readonly invitation: InvitationFacts | null;
}

export interface InvitationFacts {
  readonly organization: { readonly key: string; readonly name: string };
  readonly sender: { readonly username: string; readonly name: string; readonly email: string };
  readonly role: string;
}

/** Where the links in mail lead; the pages behind them belong to the site. */
export const mailLinks = {
  confirm_sign_up: '/auth/confirm',
  reset_password: '/auth/reset',
  join_organization: '/auth/join',
  confirm_email: '/account/email/confirm',
  undo_email: '/auth/undo-email',
} as const;

export function writeMail(kind: MailKind, { authUrl, token, invitation }: MailFacts): Mail {
  // In the fragment of the address it would reach no log, but without script no page either: so in the query, once.
  const link = (path: string): string => `${authUrl}${path}?token=${token ?? ''}`;
  switch (kind) {
    case 'confirm_sign_up':
      return {
        subject: 'Confirm your e-mail address',
        text: `Someone, hopefully you, asked for a Daybook account with this address.\n\nConfirm it within a day:\n${link(mailLinks.confirm_sign_up)}\n\nIf it was not you, do nothing: without the link there is no account.\n`,
      };
    case 'account_exists':
      return {
        subject: 'You already have an account',
        text: `Someone, perhaps you, tried to sign up at Daybook with this address. It has an account already.\n\nSign in: ${authUrl}/auth/signin\nForgot the password: ${authUrl}/auth/forgot\n`,
      };
    case 'reset_password':
      return {
        subject: 'Set a new password',
        text: `Someone, hopefully you, asked to set a new password for your Daybook account.\n\nThe link works once, within an hour:\n${link(mailLinks.reset_password)}\n\nIf it was not you, do nothing: your password stays as it is.\n`,
      };
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        text: `The password of your Daybook account was just changed, and all other sessions were signed out.\n\nIf it was not you, set a new one now: ${authUrl}/auth/forgot\n`,
      };
    case 'sign_in_changed':
      return {
        subject: 'How you sign in was changed',
        text: `What opens your Daybook account was just changed. Your activity says what it was: ${authUrl}/account/activity\n\nIf it was not you, set a new password now: ${authUrl}/auth/forgot\n`,
      };
    case 'confirm_email':
      return {
        subject: 'Confirm your new e-mail address',
        text: `Someone, hopefully you, asked to use this address for a Daybook account.\n\nConfirm it within a day, signed in to that account:\n${link(mailLinks.confirm_email)}\n\nIf it was not you, do nothing: nothing changes without the link.\n`,
      };
    case 'email_taken':
      return {
        subject: 'Your address was asked for',
        text: `Someone, perhaps you, asked to use this address for another Daybook account. It has an account already, and one address has one account. Nothing was changed.\n\nSign in: ${authUrl}/auth/signin\n`,
      };
    case 'undo_email':
      return {
        subject: 'Your e-mail address was changed',
        text: `The e-mail address of your Daybook account was just changed. This one no longer signs in.\n\nIf it was not you, undo it within seven days. Every session, API key and passkey of the account ends, and you set a new password:\n${link(mailLinks.undo_email)}\n`,
      };
    case 'deletion_requested':
    case 'deletion_cancelled':
    case 'account_deleted':
      return writeDeletionMail(kind, authUrl);
    case 'join_organization':
      return writeInvitation(invitation, link(mailLinks.join_organization));
    default:
      throw new Error(`no text for ${String(kind satisfies never)}`);
  }
}

function writeDeletionMail(
  kind: 'deletion_requested' | 'deletion_cancelled' | 'account_deleted',
  authUrl: string,
): Mail {
  switch (kind) {
    case 'deletion_requested':
      return {
        subject: 'Your account will be deleted',
        text: `The deletion of your Daybook account was just asked for. Every session, API key and token has ended. In 30 days the account is removed, with the organizations that nobody else is in.\n\nTo keep it, sign in before then: ${authUrl}/auth/signin\n\nIf it was not you, set a new password as well: ${authUrl}/auth/forgot\n`,
      };
    case 'deletion_cancelled':
      return {
        subject: 'Your account stays',
        text: `Somebody, hopefully you, signed in to your Daybook account, which was to be deleted. It stays. API keys and tokens that ended when the deletion was asked for do not come back.\n\nTo delete it after all, ask again: ${authUrl}/account/data/delete\n\nIf it was not you, set a new password now: ${authUrl}/auth/forgot\n`,
      };
    case 'account_deleted':
      return {
        subject: 'Your account was deleted',
        text: `The 30 days are over: your Daybook account was just deleted, with the organizations that nobody else was in. This is the last mail about it, and your address is no longer kept.\n`,
      };
    default:
      throw new Error(`no text for ${String(kind satisfies never)}`);
  }
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
    text: `${who} (${sender.email}) invites you to join the organization ${where} on Daybook as ${role}.\n\nThe names in quotes were chosen by them, not by us. If you do not know them, do nothing.\n\nThe link works once, within a week:\n${link}\n`,
  };
}

/**
 * A name that its owner chose, told apart from our own words: the quotes cannot be closed from inside. One that was
 * stored before the rules for names gives way to the plain one.
 */
function quotedName(name: string, plain: string): string {
  const parsed = parseDisplayName(name);
  return `“${(parsed.ok ? parsed.value : plain).replaceAll(/["“”„‟«»‹›「」『』]/g, "'")}”`;
}
