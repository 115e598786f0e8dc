import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { field, form, hidden, problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { buttonLink, facts } from '../components/parts.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { LinkBody, LinkQuery, deadLinkPage, mailSentPage, requireLink } from '../joining/mailed-link.ts';
import type { Visitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';
import { guardedForm, proofFields, proofOf } from './guarded-form.ts';
import { asWrongPassword } from './password-pages.ts';

export const emailPath = '/account/email';
const confirmPath = `${emailPath}/confirm`;

const NewEmail = closedObject({ ...proofFields, email: Type.Optional(Type.String({ maxLength: 320 })) });

/** E-mail address change, and the target of the link sent to the new address. */
export function emailPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [...askingPages(tools), ...confirmingPages(tools)];
}

function askingPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: emailPath,
      operationId: 'showEmail',
      show: async ({ visitor }) => emailPage(tools, visitor),
    }),
    defineMemberForm(tools, {
      path: emailPath,
      operationId: 'requestEmailChange',
      // Requires the password: it counts as an attempt at the sign-in form, in the same window.
      surface: tools.signInForms,
      body: NewEmail,
      problems: useCases.proofProblems,
      show: async ({ visitor, body: { email = '', ...proof }, client }) => {
        await useCases.requestEmailChange(tools.identity, { ...proofOf(visitor, proof), email, client });
        return mailSentPage(
          html`<p class="lead">
            !${sayHtml('We sent an e-mail to {strong}. To change the address, open the link within 24 hours in a browser where you are signed in. Until then you sign in with {email}.', { strong: html`<strong>${email}</strong>`, email: html`${visitor.account.email}` })}
          </p>`,
        );
      },
      refused: async ({ visitor, body }, problem) =>
        emailPage(tools, visitor, { email: body.email ?? '', problem: asWrongPassword(problem) }),
    }),
  ];
}

/** A page with a button, because mail scanners follow links. */
function confirmingPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path: confirmPath,
      operationId: 'showEmailConfirmation',
      query: LinkQuery,
      show: async ({ visitor, query: { token = '' } }) => {
        const asked = { token, accountId: visitor.account.id };
        return confirmPage(visitor, {
          token,
          email: requireLink(await useCases.readEmailChangeLink(identity, asked)),
        });
      },
      refused: async () => deadConfirmPage(),
    }),
    defineMemberForm(tools, {
      path: confirmPath,
      operationId: 'confirmEmailChange',
      surface: tools.mailForms,
      body: LinkBody,
      problems: [conflict],
      show: async ({ visitor, body: { token = '' }, client }) => {
        await useCases.confirmEmailChange(identity, { token, accountId: visitor.account.id, client });
        return { to: '/account' };
      },
      refused: async (_input, problem) =>
        problem.definition === useCases.invalidLink ? deadConfirmPage() : takenPage(problem),
    }),
  ];
}

async function emailPage(
  tools: PersonalTools,
  visitor: Visitor,
  { email = '', problem = null }: { email?: string; problem?: ProblemError | null } = {},
): Promise<PersonalPage> {
  const { email: current } = visitor.account;
  const newEmail = {
    name: 'email',
    label: say('New e-mail address'),
    type: 'email',
    value: email,
    autocomplete: 'email',
    maxLength: 254,
  } as const;
  const question = await guardedForm(tools, visitor, {
    guards: 'change_email',
    page: emailPath,
    action: emailPath,
    submit: say('Send link'),
    fields: field({ ...newEmail, problem }),
    problem,
  });
  return accountPage(visitor, '/account', {
    title: say('E-mail address'),
    main: html`<p>
        ${say('Your current address is {current}. We’ll send a confirmation link to the new address. After the change, {current2} receives a link that can undo it for 7 days.', { current, current2: current })}
      </p>
      !${problemNotice(problem)} !${question}
      <p class="aside">!${buttonLink({ href: '/account', label: say('Cancel') })}</p>`,
  });
}

function confirmPage(
  visitor: Visitor,
  { token, email }: { readonly token: string; readonly email: string },
): PersonalPage {
  return accountPage(visitor, '/account', {
    title: say('Confirm your new address'),
    main: html`!${facts([
        [say('Current address'), html`${visitor.account.email}`],
        [say('New address'), html`${email}`],
      ])}
      <p>${say('You will sign in with the new address, and we’ll send e-mail to it.')}</p>
      !${form({ action: confirmPath, submit: say('Change address'), fields: hidden('token', token) })}`,
  });
}

const deadConfirmPage = () =>
  deadLinkPage(
    html`!${sayHtml('The link is valid only for the account that requested it. If you are signed in to that account, {link}. Only the newest link is valid.', { link: html`<a href="${emailPath}">${say('request a new link')}</a>` })}`,
  );

function takenPage(problem: ProblemError): PersonalPage {
  return {
    title: say('The address was not changed'),
    main: html`<h1>${say('The address was not changed')}</h1>
      !${problemNotice(problem)}
      <p>
        !${sayHtml('Another account uses this address now. {link}.', { link: html`<a href="${emailPath}">${say('Choose another address')}</a>` })}
      </p>`,
  };
}
