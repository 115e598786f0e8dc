import { html } from 'ghtml';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { field, form, hidden, newPasswordField, problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { facts } from '../components/parts.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineForm, definePersonalPage } from '../console-route.ts';
import { LinkQuery, deadLinkPage, linkToken, mailSentPage, requireLink } from './mailed-link.ts';
import { openFirstSession, usernameField } from './newcomer.ts';

const SignUpBody = closedObject({
  username: Type.Optional(Type.String({ maxLength: 100 })),
  email: Type.Optional(Type.String({ maxLength: 320 })),
  name: Type.Optional(Type.String({ maxLength: 400 })),
  password: Type.Optional(Type.String({ maxLength: 4096 })),
});
type SignUpBody = Static<typeof SignUpBody>;
const ConfirmationBody = closedObject({ token: linkToken, username: SignUpBody.properties.username });

export function signUpPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [...askingPages(tools), ...confirmationPages(tools)];
}

function askingPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path: '/auth/signup',
      operationId: 'showSignUp',
      show: async ({ visitor }) => (visitor === null ? signUpPage() : { to: '/account' }),
    }),
    defineForm(tools, {
      path: '/auth/signup',
      operationId: 'signUp',
      surface: tools.mailForms,
      body: SignUpBody,
      problems: [conflict],
      show: async ({ body, client }) => {
        const { username = '', email = '', name = '', password = '' } = body;
        await useCases.signUp(identity, { username, email, name, password, client });
        return mailSentPage(
          html`<p class="lead">
            !${sayHtml('We sent an e-mail to {strong}. Open the link within 24 hours to create your account.', { strong: html`<strong>${email}</strong>` })}
          </p>`,
        );
      },
      refused: async ({ body }, problem) => signUpPage(body, problem),
    }),
  ];
}

/** A page with a button: mail scanners follow links, and would otherwise use this one. */
function confirmationPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path: '/auth/confirm',
      operationId: 'showSignUpConfirmation',
      query: LinkQuery,
      show: async ({ query: { token = '' } }) => confirmationPage(tools, token),
      refused: async () => deadSignUpPage(),
    }),
    defineForm(tools, {
      path: '/auth/confirm',
      operationId: 'confirmSignUp',
      surface: tools.mailForms,
      body: ConfirmationBody,
      problems: [conflict],
      show: async ({ body: { token = '', username }, request, client, reply }) => {
        const chosen = username === undefined ? {} : { username };
        const accountId = await useCases.confirmSignUp(identity, { token, client, ...chosen });
        await openFirstSession(tools, request, reply, accountId);
        return { to: '/account/organization' };
      },
      refused: async ({ body: { token = '', username } }, problem) => {
        if (problem.definition === useCases.invalidLink) return deadSignUpPage();
        const isOfUsername = problem.errors?.some(({ name }) => name === 'username') === true;
        return isOfUsername
          ? confirmationPage(tools, token, { username, problem })
          : takenMeanwhilePage(problem);
      },
    }),
  ];
}

async function confirmationPage(
  { identity }: PersonalTools,
  token: string,
  { username, problem = null }: { username?: string | undefined; problem?: ProblemError | null } = {},
): Promise<PersonalPage> {
  const asked = requireLink(await useCases.readSignUpLink(identity, token));
  const fields = hidden('token', token) + usernameField(username ?? asked.username, problem);
  return {
    title: say('Confirm your address'),
    main: html`<h1>${say('Confirm your address')}</h1>
      !${problemNotice(problem)} !${facts([[say('E-mail address'), html`${asked.email}`]])}
      <p>${say('Continue only if you signed up for this account yourself.')}</p>
      !${form({ action: '/auth/confirm', submit: say('Create account'), fields })}`,
  };
}

function signUpPage(
  given: Omit<SignUpBody, 'password'> = {},
  problem: ProblemError | null = null,
): PersonalPage {
  const { username = '', email = '', name = '' } = given;
  const fields = [
    field({ name: 'name', label: say('Name'), value: name, autocomplete: 'name', maxLength: 100, problem }),
    field({
      name: 'email',
      label: say('E-mail address'),
      type: 'email',
      value: email,
      autocomplete: 'username',
      maxLength: 254,
      problem,
    }),
    usernameField(username, problem, { required: false }),
    newPasswordField('password', say('Password'), problem),
  ];
  return {
    title: say('Create account'),
    main: html`<h1>${say('Create account')}</h1>
      !${problemNotice(problem)}
      !${form({ action: '/auth/signup', submit: say('Create account'), fields: fields.join('') })}
      <p class="aside"><a href="/auth/signin">${say('Sign in to an existing account')}</a></p>`,
  };
}

const deadSignUpPage = () =>
  deadLinkPage(
    html`!${sayHtml('If you have already confirmed your address, {link}. Otherwise {link2}.', { link: html`<a href="/auth/signin">${say('sign in')}</a>`, link2: html`<a href="/auth/signup">${say('sign up again')}</a>` })}`,
  );

function takenMeanwhilePage(problem: ProblemError): PersonalPage {
  return {
    title: say('Account not created'),
    main: html`<h1>${say('Account not created')}</h1>
      !${problemNotice(problem)}
      <p>
        !${sayHtml('The username was taken after you signed up. {link} with another one, or {link2}.', { link: html`<a href="/auth/signup">${say('Sign up again')}</a>`, link2: html`<a href="/auth/signin">${say('sign in')}</a>` })}
      </p>`,
  };
}
