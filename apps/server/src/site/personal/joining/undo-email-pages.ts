import { html } from 'ghtml';

import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { credentials, useCases } from '../../../identity/index.ts';
import { form, hidden, notice, problemNotice } from '../../shell/form-controls.ts';
import type { PersonalPage, PersonalTools } from '../personal-route.ts';
import { defineForm, definePersonalPage } from '../personal-route.ts';
import { dismissVisitor } from '../visitor.ts';
import { LinkBody, LinkQuery, deadLinkPage, requireLink } from './mailed-link.ts';

const path = '/auth/undo-email';

/** Where the link leads that the address before gets when an account's address is changed. */
export function undoEmailPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path,
      operationId: 'showUndoEmailChange',
      summary: 'Where the link leads that undoes a change of the e-mail address.',
      query: LinkQuery,
      show: async ({ query: { token = '' } }) =>
        undoPage(token, requireLink(await useCases.readUndoLink(identity, token))),
      refused: async () => deadUndoPage,
    }),
    defineForm(tools, {
      path,
      operationId: 'undoEmailChange',
      summary: 'Gives the account its address back and ends everything that opens it.',
      surface: tools.mailForms,
      body: LinkBody,
      problems: [conflict],
      show: async ({ body: { token = '' }, request, reply }) => {
        await useCases.undoEmailChange(identity, { token, client: credentials.clientOf(request) });
        await dismissVisitor(identity, request, reply);
        return undonePage;
      },
      refused: async (_input, problem) =>
        problem.definition === useCases.invalidLink ? deadUndoPage : takenPage(problem),
    }),
  ];
}

function undoPage(token: string, email: string): PersonalPage {
  return {
    title: 'Undo the change of your address',
    main: html`<h1>Undo the change of your address</h1>
      <p>
        The account has the address <strong>${email}</strong> again. Its password and everything else that can
        act for it stop working, and we send a link to that address to set a new password.
      </p>
      !${form({ action: path, submit: 'Undo the change', fields: hidden('token', token), dangerous: true })}`,
  };
}

const undonePage: PersonalPage = {
  title: 'The change is undone',
  main: html`<h1>The change is undone</h1>
    !${notice('good', 'The account has its address back, and nothing that opened it works any more.')}
    <p>
      Check your e-mail: a link to set a new password is on its way. After you have signed in, your
      <a href="/account/security">security page</a> lists what can act for the account.
    </p>`,
};

const deadUndoPage = deadLinkPage(
  html`If the account has your address again already, <a href="/auth/forgot">set a new password</a>. Otherwise
    ask whoever runs this installation.`,
);

function takenPage(problem: ProblemError): PersonalPage {
  return {
    title: 'The change was not undone',
    main: html`<h1>The change was not undone</h1>
      !${problemNotice(problem)}
      <p>The address was free after the change, and has another account now.</p>`,
  };
}
