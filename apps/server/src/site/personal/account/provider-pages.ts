import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound, temporarilyUnavailable } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { credentials, useCases } from '../../../identity/index.ts';
import { form, hidden, instant, table } from '../../shell/form-controls.ts';
import type { PersonalTools } from '../personal-route.ts';
import { defineMemberForm, defineMemberPage } from '../personal-route.ts';
import { departureCookie, departureSeconds } from '../sign-in/openid-pages.ts';
import { setCookie } from '../visitor.ts';
import { accountPage } from './account-frame.ts';

const path = '/account/provider';
const Linked = Type.Object(
  { issuer: Type.String({ maxLength: 2_000 }), subject: Type.String({ maxLength: 2_000 }) },
  { additionalProperties: false },
);

/** What opens the account beside its password; only where the installation has a sign-in provider. */
export function providerPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { openId } = tools.identity;
  return openId === null ? [] : [listPage(tools, openId), linkForm(tools, openId), unlinkForm(tools)];
}

type Provider = NonNullable<PersonalTools['identity']['openId']>;

function listPage(tools: PersonalTools, { name }: Provider): RouteDeclaration {
  const { database } = tools.identity;
  return defineMemberPage(tools, {
    path,
    operationId: 'showProvider',
    summary: 'Identities that open the account.',
    show: async ({ visitor }) => {
      const identities = await useCases.listExternalIdentities(database, visitor.account.id);
      const rows = identities.map(({ issuer, subject, linkedAt }) => [
        html`${issuer}`,
        html`<code>${subject}</code>`,
        instant(linkedAt),
        form({
          action: `${path}/unlink`,
          submit: 'Unlink',
          small: true,
          dangerous: true,
          fields: hidden('issuer', issuer) + hidden('subject', subject),
        }),
      ]);
      return accountPage(tools, visitor, path, {
        title: 'Sign-in provider',
        main: html`<p>
            Whoever signs in at ${name} as one of these is signed in here. Unlinking ends no session.
          </p>
          !${table({ caption: 'Linked identities.', columns: ['Provider', 'Identity', 'Since', 'Unlink'], rows, empty: 'None is linked.' })}
          !${form({ action: `${path}/link`, submit: `Link an identity at ${name}` })}`,
      });
    },
  });
}

function linkForm(tools: PersonalTools, { name }: Provider): RouteDeclaration {
  const { identity } = tools;
  return defineMemberForm(tools, {
    path: `${path}/link`,
    operationId: 'linkProvider',
    summary: 'Begins to link an identity.',
    problems: [notFound, temporarilyUnavailable],
    show: async ({ visitor, reply }) => {
      const { redirectUrl, transaction } = await useCases.beginOpenIdLink(identity, {
        context: '',
        accountId: visitor.account.id,
      });
      const cookie = { name: departureCookie, value: transaction, seconds: departureSeconds };
      setCookie(reply, identity.authUrl, cookie);
      // A page between: the policy would hold a form to every address that the provider redirects through.
      return accountPage(tools, visitor, path, {
        title: 'Link an identity',
        main: html`<p>Sign in at ${name} as who should open this account.</p>
          <p><a class="button" href="${redirectUrl}">Go on to ${name}</a></p>`,
      });
    },
  });
}

function unlinkForm(tools: PersonalTools): RouteDeclaration {
  const { identity } = tools;
  return defineMemberForm(tools, {
    path: `${path}/unlink`,
    operationId: 'unlinkProvider',
    summary: 'Unlinks an identity.',
    body: Linked,
    problems: [notFound],
    show: async ({ visitor, body, request }) => {
      const unlinked = await useCases.unlinkExternalIdentity(identity, {
        accountId: visitor.account.id,
        identity: body,
        client: credentials.clientOf(request),
      });
      if (!unlinked)
        throw new ProblemError(notFound, 'you have no such identity; it may be unlinked already');
      return { to: path };
    },
  });
}
