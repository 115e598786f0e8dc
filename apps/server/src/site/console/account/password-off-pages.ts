import { html } from 'ghtml';

import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';
import { ProofForm, guardedForm, proofOf } from './guarded-form.ts';
import { asWrongPassword } from './password-pages.ts';

export const passwordOffPath = '/account/password/off';

/** For accounts with passkeys. */
export function passwordOffPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: passwordOffPath,
      operationId: 'showPasswordOff',
      show: async ({ visitor }) => passwordOffPage(tools, visitor),
    }),
    defineMemberForm(tools, {
      path: passwordOffPath,
      operationId: 'switchOffPassword',
      surface: tools.signInForms,
      body: ProofForm,
      problems: [...useCases.proofProblems, conflict],
      show: async ({ visitor, body, client }) => {
        await useCases.switchOffPassword(tools.identity, { ...proofOf(visitor, body), client });
        return { to: '/account/password' };
      },
      refused: async ({ visitor }, problem) => passwordOffPage(tools, visitor, asWrongPassword(problem)),
    }),
  ];
}

async function passwordOffPage(
  tools: PersonalTools,
  visitor: Visitor,
  problem: ProblemError | null = null,
): Promise<PersonalPage> {
  const question = await guardedForm(tools, visitor, {
    guards: 'switch_off_password',
    page: passwordOffPath,
    action: passwordOffPath,
    submit: say('Remove password'),
    dangerous: true,
    problem,
  });
  return accountPage(visitor, '/account/security', {
    title: say('Remove password'),
    main: html`<p>
        ${say('You will sign in only with passkeys. One-time codes are turned off, and all other sessions are signed out. If you lose all your devices, you can set a new password with a reset link.')}
      </p>
      !${problemNotice(problem)} !${question}`,
  });
}
