import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { client, form, hidden, instant, notice, problemNotice, table } from '../../shell/form-controls.ts';
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
        const news = 'All access is revoked except this session. We’ll send you an e-mail.';
        return securityPage(tools, visitor, news);
      },
      refused: async ({ visitor }, problem) => endAllPage(tools, visitor, asWrongPassword(problem)),
    }),
  ];
}

type HeldKind = Awaited<ReturnType<typeof useCases.listOwnCredentials>>[number];

async function securityPage(tools: PersonalTools, visitor: Visitor, news?: string): Promise<PersonalPage> {
  const kinds = await useCases.listOwnCredentials(tools.identity, visitor.account.id);
  const shown = kinds.toSorted((left, right) => placeOf(left) - placeOf(right));
  return accountPage(tools, visitor, securityPath, {
    title: 'Security',
    main: html`!${news === undefined ? '' : notice('good', html`<p>${news}</p>`)}
      <p>
        Sessions, keys and other credentials with access to your account. Revoke entries that you don’t
        recognize. If your account may be compromised, <a href="${endAllPath}">revoke all access</a> and
        <a href="/account/password">set a new password</a>.
      </p>
      !${shown.map((kind) => kindSection(kind, visitor))}`,
  });
}

/** Sessions first: people look for them most. */
function placeOf({ name }: HeldKind): number {
  return name === 'sessions' ? 0 : 1;
}

function kindSection({ name, endsOn, held }: HeldKind, { sessionId }: Visitor): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const rows = held.map((one) => [
    html`${one.name}!${one.limit === undefined ? '' : html`<br /><span class="hint">${one.limit}</span>`}`,
    instant(one.createdAt),
    one.lastUsedAt === null ? '–' : instant(one.lastUsedAt),
    one.origin === null ? '–' : client(one.origin.address, one.origin.userAgent),
    one.id === sessionId ? 'this browser' : endCell(name, endsOn, one),
  ]);
  return html`<h2>${title}</h2>
    !${table({ caption: held.length === 1 ? '1 entry.' : `${held.length} entries.`, columns: ['Name', 'Created', 'Last used', 'From', 'Revoke'], rows, empty: '' })}`;
}

function endCell(
  kind: string,
  endsOn: string | undefined,
  { id, name }: { readonly id: string; readonly name: string },
): string {
  if (endsOn !== undefined) return html`<a href="${endsOn}" aria-label="Change ${name}">Change</a>`;
  return form({
    action: endPath,
    submit: 'Revoke',
    label: `Revoke ${name}`,
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
    submit: 'Revoke all access',
    dangerous: true,
    problem,
  });
  return accountPage(tools, visitor, securityPath, {
    title: 'Revoke all access?',
    main: html`!${problemNotice(problem)}
      <p>All of these are revoked within a second. This session and one-time codes remain active.</p>
      <ul>
        !${kinds.map(({ name, held }) => html`<li>${held.length} ${name}</li>`)}
      </ul>
      !${question}
      <p class="aside"><a href="${securityPath}">Cancel</a></p>`,
  });
}
