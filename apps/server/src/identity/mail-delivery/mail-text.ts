import { filled, mailWordsOf } from '../../foundation/mail/words/mail-words.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { parseDisplayName } from '../accounts/display-name.ts';
import type { MailKind } from '../mail/mail-request-store.ts';
import type { GuardedAction } from '../step-up/guarded-action.ts';

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

export function writeMail(kind: MailKind, facts: MailFacts, language: ReaderLanguage): Mail {
  const words = mailWordsOf(language);
  const { subject, text } = words.accounts[kind];
  const values = {
    ...addresses(kind, facts),
    ...confirmationValues(facts.confirmation, words.actions),
    ...invitationValues(facts.invitation, words.roles),
    ...organizationValues(facts.invitation?.organization ?? facts.organization),
  };
  return { subject: filled(subject, values), text: filled(text, values) };
}

function addresses(kind: MailKind, { authUrl, token }: MailFacts): Readonly<Record<string, string>> {
  const path = kind in mailLinks ? mailLinks[kind as keyof typeof mailLinks] : null;
  return {
    // In the URL fragment it would reach no log, but the page would need a script: so it is in the query, once.
    ...(path === null ? {} : { link: `${authUrl}${path}?token=${token ?? ''}` }),
    signInUrl: `${authUrl}/auth/signin`,
    forgotUrl: `${authUrl}/auth/forgot`,
    securityUrl: `${authUrl}/account/security`,
    deleteUrl: `${authUrl}/account/data/delete`,
    platformUrl: `${authUrl}/platform`,
  };
}

function confirmationValues(
  confirmation: MailFacts['confirmation'],
  actions: Readonly<Record<GuardedAction, string>>,
) {
  return confirmation === null ? {} : { code: confirmation.code, action: actions[confirmation.action] };
}

function invitationValues(invitation: InvitationFacts | null, roles: Readonly<Record<string, string>>) {
  if (invitation === null) return {};
  const { sender, role } = invitation;
  return { sender: quotedName(sender.name, sender.username), email: sender.email, role: roles[role] ?? role };
}

function organizationValues(organization: MailFacts['organization']) {
  return organization === null ? {} : { organization: quotedName(organization.name, organization.key) };
}

/**
 * Quotes a name that its owner chose: the name cannot close the quotes. A name that was stored before the rules for
 * names is replaced by the plain one.
 */
function quotedName(name: string, plain: string): string {
  const parsed = parseDisplayName(name, { reserved: 'accepted' });
  return `“${(parsed.ok ? parsed.value : plain).replaceAll(/["“”„‟«»‹›「」『』]/g, "'")}”`;
}
