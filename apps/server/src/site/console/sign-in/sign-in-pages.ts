import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { field, form, problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { facts } from '../components/parts.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineForm, definePersonalPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { admitVisitor, deviceOf, dismissVisitor, setCookie } from '../visitor.ts';
import { codePath, pendingCookie } from './code-pages.ts';
import { passkeyPath } from './passkey-sign-in-pages.ts';
import type { WaitingProgram } from './sign-in-request.ts';
import {
  SignInQuery,
  callbackAddress,
  callbackOrigin,
  returnAddress,
  signInAddress,
  waitingProgram,
} from './sign-in-request.ts';

const Password = closedObject({
  email: Type.String({ maxLength: 320 }),
  password: Type.String({ maxLength: 4096 }),
});

/** Sign-in for people, and for programs that listen on a local port. */
export function signInPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path: '/auth/signin',
      operationId: 'showSignIn',
      query: SignInQuery,
      show: async ({ query, visitor }) => {
        const program = waitingProgram(query);
        if (visitor === null) return signInPage(tools, query);
        return program === null ? { to: returnAddress(query) } : confirmationPage(query, program, visitor);
      },
    }),
    passwordForm(tools),
    defineForm(tools, {
      path: '/auth/signin/confirm',
      operationId: 'confirmSignIn',
      query: SignInQuery,
      show: async ({ query, visitor, client }) => {
        const program = waitingProgram(query);
        if (visitor === null || program === null) return { to: signInAddress('/auth/signin', query) };
        const code = await useCases.createExchangeCode(identity, {
          accountId: visitor.account.id,
          sessionId: visitor.sessionId,
          codeChallenge: program.codeChallenge,
          client,
        });
        return { to: callbackAddress(program, code) };
      },
    }),
    defineForm(tools, {
      path: '/auth/signout',
      operationId: 'signOut',
      query: SignInQuery,
      show: async ({ query, request, reply }) => {
        await dismissVisitor(identity, request, reply);
        return { to: signInAddress('/auth/signin', query) };
      },
    }),
  ];
}

function passwordForm(tools: PersonalTools): RouteDeclaration {
  const { identity } = tools;
  return defineForm(tools, {
    path: '/auth/signin',
    operationId: 'signIn',
    surface: tools.signInForms,
    query: SignInQuery,
    body: Password,
    problems: useCases.signInProblems,
    show: async ({ query, body, request, client, reply }) => {
      waitingProgram(query);
      const signedIn = await useCases.signInBrowser(identity, {
        ...body,
        client,
        device: deviceOf(identity, request),
      });
      if (signedIn.kind === 'code-needed') {
        setCookie(reply, identity.authUrl, { ...pendingCookie, value: signedIn.pending });
        return { to: signInAddress(codePath, query) };
      }
      await admitVisitor(identity, request, reply, signedIn.session);
      return { to: signInAddress('/auth/signin', query) };
    },
    refused: async ({ query, body }, problem) => signInPage(tools, query, body.email, problem),
  });
}

function signInPage(
  { identity: { openId } }: PersonalTools,
  query: SignInQuery,
  email = '',
  problem: ProblemError | null = null,
): PersonalPage {
  const elsewhere =
    openId === null
      ? ''
      : html`<p>
          <a class="button" href="${signInAddress('/auth/openid', query)}"
            >${say('Sign in with {name}', { name: openId.name })}</a
          >
        </p>`;
  const forProgram =
    query.source === 'api'
      ? html`<p class="lead">
          ${say('A program on this computer wants to sign in to your account. We’ll ask you to confirm before the program gets access.')}
        </p>`
      : '';
  const fields =
    field({
      name: 'email',
      label: say('E-mail address'),
      type: 'email',
      value: email,
      autocomplete: 'username',
      maxLength: 320,
      problem,
    }) +
    field({
      name: 'password',
      label: say('Password'),
      type: 'password',
      autocomplete: 'current-password',
      maxLength: 4096,
      problem,
    });
  return {
    title: say('Sign in'),
    main: html`<h1>${say('Sign in')}</h1>
      !${forProgram} !${problemNotice(problem)}
      !${form({ action: signInAddress('/auth/signin', query), submit: say('Sign in'), fields })}
      <p>
        <a class="button" href="${signInAddress(passkeyPath, query)}">${say('Sign in with a passkey')}</a>
      </p>
      !${elsewhere}
      <p class="aside">
        <a href="/auth/forgot">${say('Forgot password?')}</a>
        <a href="/auth/signup">${say('Create account')}</a>
      </p>`,
  };
}

function confirmationPage(query: SignInQuery, program: WaitingProgram, { account }: Visitor): PersonalPage {
  return {
    title: say('Confirm sign-in'),
    formTargets: [callbackOrigin(program)],
    main: html`<h1>${say('Authorize this program?')}</h1>
      <p class="lead">${say('A program on this computer requests access to your account.')}</p>
      !${facts([
        [say('Account'), html`${account.name}<br />${account.email}`],
        [
          say('Program'),
          html`!${sayHtml('{code}, port {code2}', { code: html`<code>localhost</code>`, code2: html`<code>${String(program.port)}</code>` })}`,
        ],
        [
          say('Permissions'),
          html`!${sayHtml('All of your permissions, including creating API keys, until you sign out its session on your {link}', { link: html`<a href="/account/security">${say('security page')}</a>` })}`,
        ],
      ])}
      <p>${say('Continue only if you started this program yourself.')}</p>
      !${form({ action: signInAddress('/auth/signin/confirm', query), submit: say('Authorize') })}
      <div class="aside">
        !${form({ action: signInAddress('/auth/signout', query), submit: say('Use another account'), small: true })}
        <a href="/account">${say('Cancel')}</a>
      </div>`,
  };
}
