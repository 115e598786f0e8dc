import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import {
  currentPasswordField,
  form,
  hidden,
  newPasswordField,
  notice,
  problemNotice,
} from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';

const path = '/account/password';
const NewPassword = closedObject({
  currentPassword: Type.Optional(Type.String({ maxLength: 4096 })),
  newPassword: Type.Optional(Type.String({ maxLength: 4096 })),
});

export function passwordPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showPassword',
      show: async ({ visitor }) =>
        (await useCases.hasPassword(identity.database, visitor.account.id))
          ? changePage(visitor)
          : firstPasswordPage(visitor),
    }),
    defineMemberForm(tools, {
      path,
      operationId: 'changePassword',
      // Requires the old password: it counts as an attempt at the sign-in form, in the same window.
      surface: tools.signInForms,
      body: NewPassword,
      problems: useCases.signInProblems,
      show: async ({ visitor, body, client }) => {
        await useCases.changePassword(identity, {
          accountId: visitor.account.id,
          sessionId: visitor.sessionId,
          currentPassword: body.currentPassword ?? '',
          newPassword: body.newPassword ?? '',
          client,
        });
        return changePage(visitor, { changed: true });
      },
      refused: async ({ visitor }, problem) => changePage(visitor, { problem: asWrongPassword(problem) }),
    }),
  ];
}

/** The problem of sign-in names an address and a password; this form has only the password. */
export function asWrongPassword(problem: ProblemError): ProblemError {
  if (problem.definition !== useCases.invalidCredentials) return problem;
  const definition = { ...problem.definition, title: say('Wrong password') };
  return new ProblemError(definition, say('Enter your current password.'), {
    errors: [{ in: 'body', name: 'currentPassword', message: say('This password is wrong') }],
  });
}

function changePage(
  visitor: Visitor,
  { problem = null, changed = false }: { problem?: ProblemError | null; changed?: boolean } = {},
): PersonalPage {
  const fields =
    currentPasswordField(problem) + newPasswordField('newPassword', say('New password'), problem);
  const news = changed
    ? notice('good', say('Password changed. All other sessions are signed out. We’ll send you an e-mail.'))
    : problemNotice(problem);
  return accountPage(visitor, '/account/security', {
    title: say('Password'),
    main: html`<p>
        ${say('Changing your password signs you out of all other sessions. API keys keep working.')}
      </p>
      !${news} !${form({ action: path, submit: say('Change password'), fields })}
      <p class="hint">
        ${say('Forgot your password? Sign out, then request a reset link on the sign-in page.')}
      </p>`,
  });
}

function firstPasswordPage(visitor: Visitor): PersonalPage {
  const { email } = visitor.account;
  return accountPage(visitor, '/account/security', {
    title: say('Password'),
    main: html`<p>
        ${say('Your account has no password. You sign in with a passkey or a sign-in provider. To set a password, request a link to {email}. Setting a password signs you out of all sessions, including this one.', { email })}
      </p>
      !${form({ action: '/auth/forgot', submit: say('Send link'), fields: hidden('email', email) })}`,
  });
}
