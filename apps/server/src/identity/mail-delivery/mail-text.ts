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
  /** What an invitation is about. */
  readonly invitation: InvitationFacts | null;
  /** The code that confirms an action, and which action. */
  readonly confirmation: { readonly code: string; readonly action: GuardedAction } | null;
  /** Whose deletion it is about. */
  readonly organization: { readonly key: string; readonly name: string } | null;
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

export function writeMail(kind: MailKind, facts: MailFacts): Mail {
  const { authUrl, token, invitation } = facts;
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
        text: `The way you sign in to your Daybook account was just changed. Your security page lists what can act for your account: ${authUrl}/account/security\n\nIf it was not you, set a new password now: ${authUrl}/auth/forgot\n`,
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
        text: `The e-mail address of your Daybook account was just changed. This one no longer signs in.\n\nIf it was not you, undo it within seven days. Everything that can act for the account ends, and you set a new password:\n${link(mailLinks.undo_email)}\n`,
      };
    default:
      throw new Error(`no text for ${String(kind satisfies never)}`);
  }
}

const credentialNews: Readonly<Record<CredentialNews, { readonly subject: string; readonly text: string }>> =
  {
    passkey_added: {
      subject: 'A passkey was added to your account',
      text: 'A passkey was added to your Daybook account. The device that holds it can sign in.',
    },
    provider_linked: {
      subject: 'A sign-in provider was linked to your account',
      text: 'A sign-in provider was linked to your Daybook account. The person who has that identity can sign in.',
    },
    api_key_created: {
      subject: 'An API key was created for your account',
      text: 'An API key was created for your Daybook account. A program that has it can act for you.',
    },
    platform_token_created: {
      subject: 'A platform token was created in your name',
      text: 'A platform token was created in your name at Daybook. A program that has it can act in your organization.',
    },
    signed_in_from_new_place: {
      subject: 'A new sign-in to your account',
      text: 'Your Daybook account was signed in to from a browser and a network that have not signed in to it in the last 30 days.',
    },
  };

function writeCredentialNews(kind: CredentialNews, authUrl: string): Mail {
  const { subject, text } = credentialNews[kind];
  return {
    subject,
    text: `${text}\n\nYour security page lists everything that can act for your account, and ends it: ${authUrl}/account/security\n\nIf you did not do this, end it there, and set a new password: ${authUrl}/auth/forgot\n`,
  };
}

function writeConfirmation({ authUrl, confirmation }: MailFacts): Mail {
  if (confirmation === null) throw new Error('a confirmation without its code');
  const { code, action } = confirmation;
  return {
    subject: `Your code is ${code}`,
    text: `A person who is signed in to your Daybook account wants to ${guardedActions[action]}. If this is you, enter this code on the page that asked for it:\n\n${code}\n\nIt works once, for ten minutes, in the browser that asked.\n\nIf it is not you, do not pass the code on. End the session that asked: ${authUrl}/account/security\n`,
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
        text: `The deletion of your Daybook account was just asked for. Everything that can act for it has ended, passkeys and sign-in providers too. In 30 days the account is removed, with the organizations that have no other member.\n\nTo keep it, sign in with the password before then: ${authUrl}/auth/signin\nWithout a password, set one first: ${authUrl}/auth/forgot\n\nIf it was not you, set a new password as well: ${authUrl}/auth/forgot\n`,
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

function writeOrganizationDeletion(
  kind: 'organization_deletion_requested' | 'organization_deletion_cancelled',
  { authUrl, organization }: MailFacts,
): Mail {
  if (organization === null) throw new Error('the deletion of an organization without its name');
  const name = quotedName(organization.name, organization.key);
  return kind === 'organization_deletion_requested'
    ? {
        subject: `The organization ${name} will be deleted`,
        text: `An owner of the organization ${name} on Daybook requested its deletion. Its members, tokens, shares and links have stopped working. In 30 days the organization and its files are deleted permanently.\n\nYou are an owner. To keep the organization, restore it before then: ${authUrl}/platform\n`,
      }
    : {
        subject: `The organization ${name} was restored`,
        text: `An owner of the organization ${name} on Daybook cancelled its deletion. Its members, tokens, shares and links work again. Open invitations have ended; send them again.\n\nOrganizations: ${authUrl}/platform\n`,
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
    text: `${who} (${sender.email}) invites you to join the organization ${where} on Daybook as ${role}.\n\nThe names in quotes were chosen by them, not by us. If you do not know them, do nothing.\n\nThe link works once, within a week:\n${link}\n`,
  };
}

/**
 * A name that its owner chose, told apart from our own words: the quotes cannot be closed from inside. One that was
 * stored before the rules for names gives way to the plain one.
 */
function quotedName(name: string, plain: string): string {
  const parsed = parseDisplayName(name, { reserved: 'accepted' });
  return `“${(parsed.ok ? parsed.value : plain).replaceAll(/["“”„‟«»‹›「」『』]/g, "'")}”`;
}
