import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import {
  checkboxes,
  field,
  form,
  hidden,
  newPasswordField,
  notice,
  problemNotice,
} from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineForm, definePersonalPage } from '../console-route.ts';
import { dismissVisitor } from '../visitor.ts';
import { LinkQuery, deadLinkPage, linkToken, mailSentPage, requireLink } from './mailed-link.ts';

const ForgotBody = closedObject({ email: Type.Optional(Type.String({ maxLength: 320 })) });
const ResetBody = closedObject({
  token: linkToken,
  password: Type.Optional(Type.String({ maxLength: 4096 })),
  revoke: Type.Optional(Type.Literal('everything')),
});

export function forgottenPasswordPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [...askingPages(tools), ...settingPages(tools)];
}

function askingPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [
    definePersonalPage(tools, {
      path: '/auth/forgot',
      operationId: 'showForgottenPassword',
      show: async () => forgotPage(),
    }),
    defineForm(tools, {
      path: '/auth/forgot',
      operationId: 'requestPasswordReset',
      surface: tools.mailForms,
      body: ForgotBody,
      show: async ({ body: { email = '' }, client }) => {
        await useCases.requestPasswordReset(tools.identity, { email, client });
        return mailSentPage(
          html`<p class="lead">
            !${sayHtml('If {strong} has an account, we sent it a link to set a new password. The link works once and expires after one hour.', { strong: html`<strong>${email}</strong>` })}
          </p>`,
        );
      },
      refused: async ({ body }, problem) => forgotPage(body.email, problem),
    }),
  ];
}

function settingPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path: '/auth/reset',
      operationId: 'showPasswordReset',
      query: LinkQuery,
      show: async ({ query: { token = '' } }) => {
        requireLink((await useCases.isResetLinkGood(identity, token)) || null);
        return resetPage(token);
      },
      refused: async () => deadResetPage(),
    }),
    defineForm(tools, {
      path: '/auth/reset',
      operationId: 'resetPassword',
      surface: tools.mailForms,
      body: ResetBody,
      show: async ({ body: { token = '', password = '', revoke }, request, client, reply }) => {
        const revokesAll = revoke === 'everything';
        await useCases.resetPassword(identity, { token, password, revokesAll, client });
        await dismissVisitor(identity, request, reply);
        return passwordSetPage();
      },
      refused: async ({ body: { token = '', revoke } }, problem) =>
        problem.definition === useCases.invalidLink ? deadResetPage() : resetPage(token, problem, revoke),
    }),
  ];
}

function forgotPage(email = '', problem: ProblemError | null = null): PersonalPage {
  const fields = field({
    name: 'email',
    label: say('E-mail address'),
    type: 'email',
    value: email,
    autocomplete: 'username',
    maxLength: 320,
    problem,
  });
  return {
    title: say('Reset your password'),
    main: html`<h1>${say('Reset your password')}</h1>
      <p class="lead">${say('Enter your e-mail address. We’ll send you a link to set a new password.')}</p>
      !${problemNotice(problem)} !${form({ action: '/auth/forgot', submit: say('Send link'), fields })}
      <p class="aside"><a href="/auth/signin">${say('Back to sign in')}</a></p>`,
  };
}

const revokeEverything =
  'Revoke all access to the account: API keys, passkeys, linked providers, platform tokens, invitations, shares, links, and one-time codes set up in the last 7 days';

function resetPage(token: string, problem: ProblemError | null = null, revoke?: string): PersonalPage {
  const fields =
    hidden('token', token) +
    newPasswordField('password', say('New password'), problem) +
    checkboxes({
      name: 'revoke',
      label: say('If your account may be compromised'),
      options: [{ value: 'everything', label: say(revokeEverything) }],
      chosen: revoke === undefined ? [] : [revoke],
    });
  return {
    title: say('Set a new password'),
    main: html`<h1>${say('Set a new password')}</h1>
      <p>${say('Setting a new password signs you out everywhere.')}</p>
      !${problemNotice(problem)} !${form({ action: '/auth/reset', submit: say('Set password'), fields })}`,
  };
}

const passwordSetPage = (): PersonalPage => ({
  title: say('Password set'),
  main: html`<h1>${say('Password set')}</h1>
    !${notice('good', say('All sessions of the account are signed out.'))}
    <p>
      !${sayHtml('{link} with the new password. Then review the credentials with access to your account on the security page.', { link: html`<a href="/auth/signin?return=%2Faccount%2Fsecurity">${say('Sign in')}</a>` })}
    </p>`,
});
const deadResetPage = () =>
  deadLinkPage(
    html`!${sayHtml('{link}. Only the newest link is valid.', { link: html`<a href="/auth/forgot">${say('Request a new link')}</a>` })}`,
  );
