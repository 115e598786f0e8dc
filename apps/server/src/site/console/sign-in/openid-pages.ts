import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound, temporarilyUnavailable } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { useCases } from '../../../identity/index.ts';
import { notice } from '../../shell/form-controls.ts';
import type { Text } from '../../shell/words/say.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { definePersonalPage } from '../console-route.ts';
import { admitVisitor, deviceOf, readCookie, setCookie } from '../visitor.ts';
import { codePath, pendingCookie } from './code-pages.ts';
import { SignInQuery, parseContext, signInAddress, waitingProgram, writeContext } from './sign-in-request.ts';

export const departureCookie = 'departure';
export const departureSeconds = 600;

/** Redirect to the sign-in provider and back. */
export function openIdPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    definePersonalPage(tools, {
      path: '/auth/openid',
      operationId: 'beginOpenId',
      query: SignInQuery,
      problems: [notFound, temporarilyUnavailable],
      show: async ({ query, reply }) => {
        waitingProgram(query);
        const { redirectUrl, transaction } = await useCases.beginOpenIdSignIn(identity, {
          context: writeContext(query),
        });
        const cookie = { name: departureCookie, value: transaction, seconds: departureSeconds };
        setCookie(reply, identity.authUrl, cookie);
        return { to: redirectUrl };
      },
    }),
    definePersonalPage(tools, {
      path: useCases.openIdCallbackPath,
      operationId: 'finishOpenId',
      // Providers add parameters; the relevant ones are compared with the stored request.
      query: Type.Object({}, { additionalProperties: true }),
      problems: [notFound, temporarilyUnavailable],
      show: async ({ request, client, reply, visitor }) => {
        const outcome = await useCases.finishOpenId(identity, {
          callbackUrl: request.url,
          transaction: readCookie(request, identity.authUrl, departureCookie) ?? '',
          sessionId: visitor?.sessionId ?? null,
          client,
        });
        setCookie(reply, identity.authUrl, { name: departureCookie, value: '', seconds: 0 });
        if (outcome.kind === 'refused') return refusalPage(outcome.reason, outcome.context);
        if (outcome.kind === 'linked') return { to: '/account/provider' };
        const opening = await useCases.openExternalSession(identity, {
          ...outcome,
          client,
          device: deviceOf(identity, request),
        });
        const query = parseContext(outcome.context);
        switch (opening.kind) {
          case 'unlinked':
            return refusalPage('unlinked', outcome.context);
          case 'code-needed':
            setCookie(reply, identity.authUrl, { ...pendingCookie, value: opening.pending });
            return { to: signInAddress(codePath, query) };
          case 'signed-in':
            await admitVisitor(identity, request, reply, opening.session);
            return { to: signInAddress('/auth/signin', query) };
          default:
            throw new Error(`no page for ${String(opening satisfies never)}`);
        }
      },
    }),
  ];
}

type Refusal = Extract<Awaited<ReturnType<typeof useCases.finishOpenId>>, { kind: 'refused' }>['reason'];

const explanations: Readonly<Partial<Record<Refusal, Text>>> = {
  transaction_invalid: 'The sign-in was started in another browser, or more than 10 minutes ago. Try again.',
  not_signed_in:
    'The session that started the linking has expired, or this browser has another session. Try again.',
  cancelled: 'You cancelled at the provider. Nothing has changed.',
  email_missing: 'The provider did not return an e-mail address. An account requires one.',
  email_unverified: 'The provider has not verified your e-mail address. Verify it there first.',
  account_exists:
    'An account with your e-mail address already exists. Sign in to it with its password, then link the provider on your account page.',
  unlinked: 'This identity is no longer linked to the account.',
  linked_elsewhere: 'This identity is linked to another account. Unlink it there first.',
};

function refusalPage(reason: Refusal, context: string | null): PersonalPage {
  const text = say(explanations[reason] ?? 'The provider did not confirm your identity.');
  const again = signInAddress('/auth/signin', context === null ? {} : parseContext(context));
  return {
    title: say('Not signed in'),
    main: html`<h1>${say('Not signed in')}</h1>
      !${notice('bad', html`<p>${text}</p>`)}
      <p><a href="${again}">${say('Try again')}</a></p>`,
  };
}
