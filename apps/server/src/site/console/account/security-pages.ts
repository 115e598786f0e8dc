import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { form, hidden, notice, problemNotice } from '../../shell/form-controls.ts';
import { say, sayKnown } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { dataTable } from '../components/data-table.ts';
import { device } from '../components/device.ts';
import { ago } from '../components/moments.ts';
import { badge, buttonLink, card, rows } from '../components/parts.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';
import { ProofForm, guardedForm, proofOf } from './guarded-form.ts';
import { asWrongPassword } from './password-pages.ts';

export const securityPath = '/account/security';
const endPath = `${securityPath}/end`;
const endAllPath = `${securityPath}/end-all`;
const One = closedObject({ kind: Type.String({ maxLength: 100 }), id: Type.String({ maxLength: 2_000 }) });

/** All credentials that can act for the account, with buttons that end them. */
export function securityPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path: securityPath,
      operationId: 'showSecurity',
      show: async ({ visitor }) => securityPage(tools, visitor),
    }),
    defineMemberForm(tools, {
      path: endPath,
      operationId: 'endCredential',
      body: One,
      problems: [notFound],
      show: async ({ visitor, body, client }) => {
        await useCases.endOwnCredential(identity, {
          ...body,
          accountId: visitor.account.id,
          sessionId: visitor.sessionId,
          client,
        });
        return { to: securityPath };
      },
    }),
    ...endAllPages(tools),
  ];
}

function endAllPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: endAllPath,
      operationId: 'showEndEverything',
      show: async ({ visitor }) => endAllPage(tools, visitor),
    }),
    defineMemberForm(tools, {
      path: endAllPath,
      operationId: 'endEverything',
      surface: tools.signInForms,
      body: ProofForm,
      problems: useCases.proofProblems,
      show: async ({ visitor, body, client }) => {
        await useCases.endEverything(tools.identity, { ...proofOf(visitor, body), client });
        const news = say('All access is revoked except this session. We’ll send you an e-mail.');
        return securityPage(tools, visitor, news);
      },
      refused: async ({ visitor }, problem) => endAllPage(tools, visitor, asWrongPassword(problem)),
    }),
  ];
}

type ListedCredentialKind = Awaited<ReturnType<typeof useCases.listOwnCredentials>>[number];

async function securityPage(tools: PersonalTools, visitor: Visitor, news?: string): Promise<PersonalPage> {
  const kinds = await useCases.listOwnCredentials(tools.identity, visitor.account.id);
  const shown = kinds.toSorted((left, right) => placeOf(left) - placeOf(right));
  return accountPage(visitor, securityPath, {
    title: wordsOf(visitor.language).console.account.security,
    lead: say('Everything with access to your account. Revoke entries that you don’t recognize.'),
    actions: buttonLink({ href: endAllPath, label: say('Revoke all access'), icon: 'leave', kind: 'danger' }),
    main: html`!${news === undefined ? '' : notice('good', html`<p>${news}</p>`)}
      <div class="stack">
        !${await signInCard(tools, visitor)} !${shown.map((kind) => kindSection(tools, visitor, kind))}
      </div>`,
  });
}

async function signInCard({ identity }: PersonalTools, { account }: Visitor): Promise<string> {
  const { database, openId } = identity;
  const withPassword = await useCases.hasPassword(database, account.id);
  const withCode = await useCases.hasSecondFactor(database, account.id);
  const manage = (href: string, label: string): string => buttonLink({ href, label, small: true });
  return card({
    title: say('Sign-in'),
    content: rows([
      {
        icon: 'lock',
        title: say('Password'),
        text: withPassword
          ? say('Changing it signs you out everywhere else.')
          : say('Your account has no password.'),
        end: manage('/account/password', withPassword ? say('Change') : say('Set password')),
      },
      {
        icon: 'finger',
        title: say('Passkeys'),
        text: say('Sign in without a password or code.'),
        end: manage('/account/passkeys', say('Manage passkeys')),
      },
      {
        icon: 'phone',
        title: say('Two-factor authentication'),
        text: say('A code from an app, required after the password.'),
        end:
          badge(withCode ? 'good' : 'warn', withCode ? say('On') : say('Off')) +
          manage('/account/second-factor', withCode ? say('Manage codes') : say('Set up codes')),
      },
      {
        icon: 'key',
        title: say('API keys'),
        text: say('For your own programs.'),
        end: manage('/account/api-keys', say('Manage API keys')),
      },
      ...(openId === null
        ? []
        : [
            {
              icon: 'building' as const,
              title: openId.name,
              text: say('Identities that can sign in to this account.'),
              end: manage('/account/provider', say('Manage identities')),
            },
          ]),
    ]),
  });
}

/** Sessions first: people look for them most. */
function placeOf({ name }: ListedCredentialKind): number {
  return name === 'sessions' ? 0 : 1;
}

type Held = ListedCredentialKind['held'][number];

function kindSection(
  { identity }: PersonalTools,
  { sessionId, language }: Visitor,
  { name, endsOn, held }: ListedCredentialKind,
): string {
  const now = identity.clock.now();
  const shown = sayKnown(name);
  const title = shown.charAt(0).toUpperCase() + shown.slice(1);
  const list = dataTable<Held>(language, {
    caption: title,
    rows: held,
    columns: [
      {
        label: say('Name'),
        place: 'main',
        cell: (one) =>
          html`<span class="name">${one.name}</span
            >!${one.limit === undefined ? '' : html`<small>${sayKnown(one.limit)}</small>`}`,
      },
      { label: say('Created'), place: 'low', cell: ({ createdAt }) => ago(createdAt, now, language) },
      {
        label: say('Last used'),
        place: 'also',
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? '–' : ago(lastUsedAt, now, language)),
      },
      {
        label: say('From'),
        place: 'also',
        cell: ({ origin }) => (origin === null ? '–' : device(origin.address, origin.userAgent)),
      },
      {
        label: say('Revoke'),
        place: 'state',
        cell: (one) =>
          one.id === sessionId ? badge('good', say('this browser')) : endCell(name, endsOn, one),
      },
    ],
    empty: { icon: 'lock', title: '' },
  });
  return html`<section>
    <h2>${title}</h2>
    !${list}
  </section>`;
}

function endCell(
  kind: string,
  endsOn: string | undefined,
  { id, name }: { readonly id: string; readonly name: string },
): string {
  if (endsOn !== undefined)
    return html`<a href="${endsOn}" aria-label="${say('Change {name}', { name })}">${say('Change')}</a>`;
  return form({
    action: endPath,
    submit: say('Revoke'),
    label: say('Revoke {name}', { name }),
    small: true,
    dangerous: true,
    fields: hidden('kind', kind) + hidden('id', id),
  });
}

async function endAllPage(
  tools: PersonalTools,
  visitor: Visitor,
  problem: ProblemError | null = null,
): Promise<PersonalPage> {
  const kinds = await useCases.listOwnCredentials(tools.identity, visitor.account.id);
  const question = await guardedForm(tools, visitor, {
    guards: 'end_everything',
    page: endAllPath,
    action: endAllPath,
    submit: say('Revoke all access'),
    dangerous: true,
    problem,
  });
  return accountPage(visitor, securityPath, {
    title: say('Revoke all access?'),
    main: html`!${problemNotice(problem)}
      <p>
        ${say('All of these are revoked within a second. This session and one-time codes remain active.')}
      </p>
      <ul>
        !${kinds.map(({ name, held }) => html`<li>${held.length} ${name}</li>`)}
      </ul>
      !${question}
      <p class="aside">!${buttonLink({ href: securityPath, label: say('Cancel') })}</p>`,
  });
}
