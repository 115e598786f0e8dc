import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { field, form, hidden, newPasswordField, problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml, sayKnown } from '../../shell/words/say.ts';
import { facts } from '../components/parts.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineForm, definePersonalPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { LinkBody, LinkQuery, deadLinkPage, linkToken, requireLink } from './mailed-link.ts';
import { openFirstSession, usernameField } from './newcomer.ts';

const path = '/auth/join';
const newcomerPath = `${path}/account`;
const NewcomerBody = closedObject({
  token: linkToken,
  /** Shown so that password managers store it; the address of the invitation is used. */
  email: Type.Optional(Type.String({ maxLength: 320 })),
  username: Type.Optional(Type.String({ maxLength: 100 })),
  password: Type.Optional(Type.String({ maxLength: 4096 })),
});

const deadPage = () =>
  deadLinkPage(
    html`!${sayHtml('If you have already joined, open your {link}. Otherwise ask the person who invited you for a new invitation.', { link: html`<a href="/account/organization">${say('organization')}</a>` })}`,
  );

const memberPage = (): PersonalPage => ({
  title: say('You are already a member'),
  main: html`<h1>${say('You are already a member')}</h1>
    <p>
      !${sayHtml('Your role has not changed, and the invitation is still open. Go to your {link}.', { link: html`<a href="/account/organization">${say('organization')}</a>` })}
    </p>`,
});

/** The target of an invitation link: an account joins, or a person creates one and joins. */
export function invitationPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path,
      operationId: 'showInvitation',
      query: LinkQuery,
      show: async ({ query: { token = '' }, visitor }) => invitationPage(tools, token, visitor),
      refused: async () => deadPage(),
    }),
    defineForm(tools, {
      path,
      operationId: 'joinOrganization',
      surface: tools.mailForms,
      body: LinkBody,
      problems: [conflict],
      show: async ({ body: { token = '' }, visitor, client }) => {
        if (visitor === null) return { to: signInAddress(token) };
        await useCases.acceptInvitation(identity, { token, accountId: visitor.account.id, client });
        return { to: '/account/organization' };
      },
      refused: async (_input, problem) => (problem.definition === conflict ? memberPage() : deadPage()),
    }),
    newcomerForm(tools),
  ];
}

function newcomerForm(tools: PersonalTools): RouteDeclaration {
  return defineForm(tools, {
    path: newcomerPath,
    operationId: 'signUpByInvitation',
    surface: tools.mailForms,
    body: NewcomerBody,
    problems: [conflict],
    show: async ({ body: { token = '', username = '', password = '' }, visitor, request, client, reply }) => {
      if (visitor !== null) return { to: joinAddress(token) };
      const asked = { token, username, password, client };
      const accountId = await useCases.signUpByInvitation(tools.identity, asked);
      await openFirstSession(tools, request, reply, accountId);
      return { to: '/account/organization' };
    },
    refused: async ({ body: { token = '', username = '' } }, problem) =>
      problem.definition === useCases.invalidLink
        ? deadPage()
        : invitationPage(tools, token, null, { username, problem }),
  });
}

function joinAddress(token: string): string {
  return `${path}?token=${encodeURIComponent(token)}`;
}

function signInAddress(token: string): string {
  return `/auth/signin?return=${encodeURIComponent(joinAddress(token))}`;
}

interface SentForm {
  readonly username: string;
  readonly problem?: ProblemError | null;
}

async function invitationPage(
  { identity }: PersonalTools,
  token: string,
  visitor: Visitor | null,
  sent: SentForm | null = null,
): Promise<PersonalPage> {
  const invitation = requireLink(await useCases.readInvitationLink(identity, token));
  const { organizationName, role, sender, email, hasAccount, username } = invitation;
  const title = say('Join “{organizationName}”', { organizationName });
  const lead = html`<h1>${title}</h1>
    <p class="lead">
      ${say('“{name}” ({email}) invites you to join the organization “{organizationName}” as {role}.', { name: sender.name, email: sender.email, organizationName, role: sayKnown(role) })}
    </p>
    <p class="hint">${say('The sender chose the names in quotes.')}</p>
    !${problemNotice(sent?.problem)}`;
  if (visitor !== null) return { title, main: lead + accountSection(token, role, visitor) };
  return {
    title,
    main:
      lead +
      (hasAccount ? signInSection(token, email) : newcomerSection(token, { email, username, ...sent })),
  };
}

function newcomerSection(
  token: string,
  { email, username, problem = null }: SentForm & { readonly email: string },
): string {
  const fields = [
    hidden('token', token),
    field({
      name: 'email',
      label: say('E-mail address'),
      type: 'email',
      value: email,
      readOnly: true,
      autocomplete: 'username',
    }),
    usernameField(username, problem),
    newPasswordField('password', say('Password'), problem),
  ];
  return html`!${form({ action: newcomerPath, submit: say('Create account and join'), fields: fields.join('') })}
    <p class="aside">
      <a href="${signInAddress(token)}">${say('Sign in to an existing account and join')}</a>
    </p>`;
}

function signInSection(token: string, email: string): string {
  return html`<p>
      !${sayHtml('{strong} has an account. Sign in to accept the invitation.', { strong: html`<strong>${email}</strong>` })}
    </p>
    <p><a class="button" href="${signInAddress(token)}">${say('Sign in and join')}</a></p>`;
}

function accountSection(token: string, role: string, { account }: Visitor): string {
  const signOut = `/auth/signout?return=${encodeURIComponent(joinAddress(token))}`;
  return html`!${facts([[say('Account'), html`${account.name}<br />${account.email}`]])}
    <p>${say('This becomes your current organization. Your other memberships do not change.')}</p>
    !${form({ action: path, submit: say('Join as {role}', { role: sayKnown(role) }), fields: hidden('token', token) })}
    <div class="aside">
      !${form({ action: signOut, submit: say('Use another account'), small: true })}
      <a href="/account">${say('Not now')}</a>
    </div>`;
}
