import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { form, oneTimeCodeField, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineForm, definePersonalPage } from '../console-route.ts';
import { admitVisitor, deviceOf, readCookie, setCookie } from '../visitor.ts';
import { SignInQuery, signInAddress } from './sign-in-request.ts';

export const codePath = '/auth/signin/code';
/** Stores the result of the password page for the page that asks for a code. */
export const pendingCookie = { name: 'pending-sign-in', seconds: useCases.pendingSignInMs / 1000 };

const Code = closedObject({ one_time_code: Type.Optional(Type.String({ maxLength: 64 })) });

/** The second page, for accounts with a second factor. */
export function codePages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path: codePath,
      operationId: 'showSignInCode',
      query: SignInQuery,
      show: async ({ query, request }) =>
        readCookie(request, identity.authUrl, pendingCookie.name) === null
          ? { to: signInAddress('/auth/signin', query) }
          : codePage(query),
    }),
    defineForm(tools, {
      path: codePath,
      operationId: 'signInWithCode',
      surface: tools.signInForms,
      query: SignInQuery,
      body: Code,
      problems: useCases.codedSignInProblems,
      show: async ({ query, body, request, client, reply }) => {
        const session = await useCases.finishBrowserSignIn(identity, {
          pending: readCookie(request, identity.authUrl, pendingCookie.name) ?? '',
          code: body.one_time_code ?? '',
          client,
          device: deviceOf(identity, request),
        });
        if (session !== null) await admitVisitor(identity, request, reply, session);
        setCookie(reply, identity.authUrl, { ...pendingCookie, value: '', seconds: 0 });
        return { to: signInAddress('/auth/signin', query) };
      },
      refused: async ({ query }, problem) => codePage(query, problem),
    }),
  ];
}

function codePage(query: SignInQuery, problem: ProblemError | null = null): PersonalPage {
  return {
    title: say('One-time code'),
    main: html`<h1>${say('One-time code')}</h1>
      !${problemNotice(problem)}
      !${form({ action: signInAddress(codePath, query), submit: say('Sign in'), fields: oneTimeCodeField(problem) })}
      <p class="aside"><a href="${signInAddress('/auth/signin', query)}">${say('Start over')}</a></p>`,
  };
}
