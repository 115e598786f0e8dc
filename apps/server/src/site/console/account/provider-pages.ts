import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { notFound, temporarilyUnavailable } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { hidden, instant, problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { departureCookie, departureSeconds } from '../sign-in/openid-pages.ts';
import type { Visitor } from '../visitor.ts';
import { setCookie } from '../visitor.ts';
import { accountPage } from './account-frame.ts';
import { ProofForm, guardedForm, proofFields, proofOf } from './guarded-form.ts';
import { asWrongPassword } from './password-pages.ts';

const path = '/account/provider';
const linkPath = `${path}/link`;
const unlinkPath = `${path}/unlink`;
const linked = { issuer: Type.String({ maxLength: 2_000 }), subject: Type.String({ maxLength: 2_000 }) };
const Linked = closedObject(linked);
const Unlink = closedObject({ ...linked, ...proofFields });

/** Sign-in methods beside the password; only where the installation has a sign-in provider. */
export function providerPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { openId } = tools.identity;
  return openId === null
    ? []
    : [listPage(tools, openId), ...linkPages(tools, openId), ...unlinkPages(tools, openId)];
}

type Provider = NonNullable<PersonalTools['identity']['openId']>;

function listPage(tools: PersonalTools, { name }: Provider): RouteDeclaration {
  const { database } = tools.identity;
  return defineMemberPage(tools, {
    path,
    operationId: 'showProvider',
    show: async ({ visitor }) => {
      const identities = await useCases.listExternalIdentities(database, visitor.account.id);
      const rows = identities.map(({ issuer, subject, linkedAt }) => [
        html`${issuer}`,
        html`<code>${subject}</code>`,
        instant(linkedAt),
        html`<a
          class="danger"
          href="${unlinkPath}?issuer=${encodeURIComponent(issuer)}&subject=${encodeURIComponent(subject)}"
          >${say('Unlink')}</a
        >`,
      ]);
      return accountPage(visitor, '/account/security', {
        title: say('Sign-in provider'),
        actions: buttonLink({
          href: linkPath,
          label: say('Link {name} identity', { name }),
          icon: 'plus',
          kind: 'primary',
        }),
        main: html`<p>
            ${say('You can sign in to this account with any of these {name} identities. Unlinking an identity does not sign out existing sessions.', { name })}
          </p>
          !${dataTable(visitor.language, {
            caption: say('Linked identities.'),
            columns: cellColumns([say('Provider'), say('Identity'), say('Since'), say('Unlink')]),
            rows,
            empty: { icon: 'building', title: say('No linked identities.') },
          })}`,
      });
    },
  });
}

function linkPages(tools: PersonalTools, provider: Provider): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path: linkPath,
      operationId: 'showProviderLink',
      show: async ({ visitor }) => linkPage(tools, visitor, provider),
    }),
    defineMemberForm(tools, {
      path: linkPath,
      operationId: 'linkProvider',
      surface: tools.signInForms,
      body: ProofForm,
      problems: [...useCases.proofProblems, notFound, temporarilyUnavailable],
      show: async ({ visitor, body, client, reply }) => {
        const { redirectUrl, transaction } = await useCases.beginOpenIdLink(identity, {
          ...proofOf(visitor, body),
          context: '',
          client,
        });
        const cookie = { name: departureCookie, value: transaction, seconds: departureSeconds };
        setCookie(reply, identity.authUrl, cookie);
        // An intermediate page: the policy would require every address that the provider redirects through.
        return accountPage(visitor, '/account/security', {
          title: say('Link an identity'),
          main: html`<p>
              ${say('Sign in at {name} with the identity that you want to link.', { name: provider.name })}
            </p>
            <p>
              <a class="button" href="${redirectUrl}"
                >${say('Continue to {name}', { name: provider.name })}</a
              >
            </p>`,
        });
      },
      refused: async ({ visitor }, problem) => linkPage(tools, visitor, provider, asWrongPassword(problem)),
    }),
  ];
}

async function linkPage(
  tools: PersonalTools,
  visitor: Visitor,
  { name }: Provider,
  problem: ProblemError | null = null,
): Promise<PersonalPage> {
  const question = await guardedForm(tools, visitor, {
    guards: 'link_provider',
    page: linkPath,
    action: linkPath,
    submit: say('Continue'),
    problem,
  });
  return accountPage(visitor, '/account/security', {
    title: say('Link an identity'),
    main: html`<p>
        ${say('After linking, the {name} identity that you choose can sign in to this account without its password.', { name })}
      </p>
      !${problemNotice(problem)} !${question}
      <p class="aside">!${buttonLink({ href: path, label: say('Cancel') })}</p>`,
  });
}

function unlinkPages(tools: PersonalTools, provider: Provider): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path: unlinkPath,
      operationId: 'showProviderUnlink',
      query: Linked,
      show: async ({ visitor, query }) => unlinkPage(tools, visitor, { provider, query }),
    }),
    defineMemberForm(tools, {
      path: unlinkPath,
      operationId: 'unlinkProvider',
      surface: tools.signInForms,
      body: Unlink,
      problems: [...useCases.proofProblems, notFound],
      show: async ({ visitor, body: { issuer, subject, ...proof }, client }) => {
        const unlinked = await useCases.unlinkExternalIdentity(identity, {
          ...proofOf(visitor, proof),
          identity: { issuer, subject },
          client,
        });
        if (!unlinked)
          throw new ProblemError(notFound, say('Identity not found. It may already be unlinked.'));
        return { to: path };
      },
      refused: async ({ visitor, body: query }, problem) =>
        unlinkPage(tools, visitor, { provider, query, problem: asWrongPassword(problem) }),
    }),
  ];
}

async function unlinkPage(
  tools: PersonalTools,
  visitor: Visitor,
  asked: {
    readonly provider: Provider;
    readonly query: Partial<Static<typeof Linked>>;
    readonly problem?: ProblemError;
  },
): Promise<PersonalPage> {
  const { provider, query, problem = null } = asked;
  const { issuer = '', subject = '' } = query;
  const question = await guardedForm(tools, visitor, {
    guards: 'unlink_provider',
    page: path,
    action: unlinkPath,
    submit: say('Unlink'),
    dangerous: true,
    fields: hidden('issuer', issuer) + hidden('subject', subject),
    problem,
  });
  return accountPage(visitor, '/account/security', {
    title: say('Unlink an identity'),
    main: html`<p>
        !${sayHtml('The {name} identity {code} can no longer sign in to this account.', { name: html`${provider.name}`, code: html`<code>${subject}</code>` })}
      </p>
      !${problemNotice(problem)} !${question}
      <p class="aside">!${buttonLink({ href: path, label: say('Cancel') })}</p>`,
  });
}
