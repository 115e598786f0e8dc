import { html } from 'ghtml';

import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { form, hidden, notice, problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineForm, definePersonalPage } from '../console-route.ts';
import { dismissVisitor } from '../visitor.ts';
import { LinkBody, LinkQuery, deadLinkPage, requireLink } from './mailed-link.ts';

const path = '/auth/undo-email';

/** The target of the undo link sent to the previous address when an account's address is changed. */
export function undoEmailPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path,
      operationId: 'showUndoEmailChange',
      query: LinkQuery,
      show: async ({ query: { token = '' } }) =>
        undoPage(token, requireLink(await useCases.readUndoLink(identity, token))),
      refused: async () => deadUndoPage(),
    }),
    defineForm(tools, {
      path,
      operationId: 'undoEmailChange',
      surface: tools.mailForms,
      body: LinkBody,
      problems: [conflict],
      show: async ({ body: { token = '' }, request, client, reply }) => {
        await useCases.undoEmailChange(identity, { token, client });
        await dismissVisitor(identity, request, reply);
        return undonePage();
      },
      refused: async (_input, problem) =>
        problem.definition === useCases.invalidLink ? deadUndoPage() : takenPage(problem),
    }),
  ];
}

function undoPage(token: string, email: string): PersonalPage {
  return {
    title: say('Undo the e-mail address change'),
    main: html`<h1>${say('Undo the e-mail address change')}</h1>
      <p>
        !${sayHtml('This restores the address {strong} and revokes all access to the account, including its password. We’ll send a link to that address to set a new password.', { strong: html`<strong>${email}</strong>` })}
      </p>
      !${form({ action: path, submit: say('Undo change'), fields: hidden('token', token), dangerous: true })}`,
  };
}

const undonePage = (): PersonalPage => ({
  title: say('Change undone'),
  main: html`<h1>${say('Change undone')}</h1>
    !${notice('good', say('The previous address is restored, and all access to the account is revoked.'))}
    <p>
      !${sayHtml('Check your e-mail for a link to set a new password. After you sign in, review the credentials on your {link}.', { link: html`<a href="/account/security">${say('security page')}</a>` })}
    </p>`,
});

const deadUndoPage = () =>
  deadLinkPage(
    html`!${sayHtml('If your address is already restored, {link}. Otherwise contact the operator of this installation.', { link: html`<a href="/auth/forgot">${say('set a new password')}</a>` })}`,
  );

function takenPage(problem: ProblemError): PersonalPage {
  return {
    title: say('Change not undone'),
    main: html`<h1>${say('Change not undone')}</h1>
      !${problemNotice(problem)}
      <p>${say('Another account uses this address now.')}</p>`,
  };
}
