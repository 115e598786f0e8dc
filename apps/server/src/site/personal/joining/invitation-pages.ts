import { html } from 'ghtml';

import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { credentials, useCases } from '../../../identity/index.ts';
import { form, hidden } from '../../shell/form-controls.ts';
import type { PersonalPage, PersonalTools } from '../personal-route.ts';
import { defineForm, definePersonalPage } from '../personal-route.ts';
import type { Visitor } from '../visitor.ts';
import { LinkBody, LinkQuery, deadLinkPage, requireLink } from './mailed-link.ts';

const path = '/auth/join';
const deadPage = deadLinkPage(
  html`If you have joined already, look at your <a href="/account/organization">organization</a>. Otherwise
    ask whoever invited you for another.`,
);

const memberPage: PersonalPage = {
  title: 'You are a member already',
  main: html`<h1>You are a member already</h1>
    <p>
      Nothing was changed, and the invitation stays open for whom it was meant. Look at your
      <a href="/account/organization">organization</a>.
    </p>`,
};

/** Where an invitation leads, for those with an account and those without. */
export function invitationPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path,
      operationId: 'showInvitation',
      summary: 'Where the link of an invitation leads.',
      query: LinkQuery,
      show: async ({ query: { token = '' }, visitor }) => {
        const invitation = requireLink(await useCases.readInvitationLink(identity, token));
        return invitationPage(token, invitation, visitor);
      },
      refused: async () => deadPage,
    }),
    defineForm(tools, {
      path,
      operationId: 'joinOrganization',
      summary: 'Joins the organization of an invitation.',
      surface: tools.mailForms,
      body: LinkBody,
      problems: [conflict],
      show: async ({ body: { token = '' }, visitor, request }) => {
        if (visitor === null) return { to: signInAddress(token) };
        await useCases.acceptInvitation(identity, {
          token,
          accountId: visitor.account.id,
          client: credentials.clientOf(request),
        });
        return { to: '/account/organization' };
      },
      refused: async (_input, problem) => (problem.definition === conflict ? memberPage : deadPage),
    }),
  ];
}

function signInAddress(token: string): string {
  return `/auth/signin?return=${encodeURIComponent(`${path}?token=${encodeURIComponent(token)}`)}`;
}

function invitationPage(
  token: string,
  { organizationName, role, sender }: NonNullable<Awaited<ReturnType<typeof useCases.readInvitationLink>>>,
  visitor: Visitor | null,
): PersonalPage {
  const title = `Join “${organizationName}”`;
  const lead = html`<h1>${title}</h1>
    <p class="lead">
      “${sender.name}” (${sender.email}) invites you to join the organization “${organizationName}” as
      ${role}.
    </p>
    <p class="hint">The names in quotes were chosen by them.</p>`;
  if (visitor === null)
    return {
      title,
      main: html`!${lead}
        <ul class="ways">
          <li><a href="${signInAddress(token)}">Sign in and join</a> with the account that you have</li>
          <li><a href="/auth/signup?invitation=${token}">Make an account</a> and join with it</li>
        </ul>`,
    };
  return {
    title,
    main: html`!${lead}
      <dl class="facts">
        <dt>Account</dt>
        <dd>${visitor.account.name}<br />${visitor.account.email}</dd>
      </dl>
      <p>You will work there from then on; what you belong to already stays as it is.</p>
      !${form({ action: path, submit: `Join as ${role}`, fields: hidden('token', token) })}
      <div class="aside">
        !${form({ action: `/auth/signout?return=${encodeURIComponent(`${path}?token=${encodeURIComponent(token)}`)}`, submit: 'Use another account', small: true })}
        <a href="/account">Not now</a>
      </div>`,
  };
}
