import { html } from 'ghtml';

import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { instant, notice, problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { platformPath } from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { dismissVisitor } from '../visitor.ts';
import { accountPage } from './account-frame.ts';
import { ProofForm, guardedForm, proofOf } from './guarded-form.ts';
import { asWrongPassword } from './password-pages.ts';

export const deletionPath = '/account/data/delete';

/** Account deletion: confirms once more, with what is deleted and what prevents it. */
export function deletionPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path: deletionPath,
      operationId: 'showAccountDeletion',
      show: async ({ visitor }) => questionPage(tools, visitor),
    }),
    defineMemberForm(tools, {
      path: deletionPath,
      operationId: 'requestAccountDeletion',
      // Requires the password: it counts as an attempt at the sign-in form, in the same window.
      surface: tools.signInForms,
      body: ProofForm,
      problems: [...useCases.proofProblems, conflict],
      show: async ({ visitor, body, request, client, reply }) => {
        const dueAt = await useCases.requestAccountDeletion(identity, { ...proofOf(visitor, body), client });
        await dismissVisitor(identity, request, reply);
        return requestedPage(dueAt);
      },
      refused: async ({ visitor }, problem) => questionPage(tools, visitor, asWrongPassword(problem)),
    }),
  ];
}

async function questionPage(
  tools: PersonalTools,
  visitor: Visitor,
  problem: ProblemError | null = null,
): Promise<PersonalPage> {
  const { database } = tools.identity;
  const { id, username } = visitor.account;
  const left = useCases.sortAffectedOrganizations(await useCases.listAffectedOrganizations(database, id));
  const question = await guardedForm(tools, visitor, {
    guards: 'delete_account',
    page: deletionPath,
    action: deletionPath,
    submit: say('Delete account {username}', { username }),
    dangerous: true,
    problem,
  });
  return accountPage(visitor, '/account/data', {
    title: say('Delete account?'),
    main: html`!${problemNotice(problem)}
      <p>
        !${sayHtml('You are signed out everywhere. Your API keys, tokens, passkeys, linked sign-in providers, shares and links stop working immediately. After {deletionGraceDays} days your profile and credentials are deleted. {strong} If you have no password, set one with a reset link first.', { deletionGraceDays: html`${useCases.deletionGraceDays}`, strong: html`<strong>${say('To cancel the deletion, sign in with your password before then.')}</strong>` })}
      </p>
      !${names(say('You are the only member of these organizations. They are deleted with your account:'), left.deleted)}
      !${handOver(visitor, left.toHandOver)} !${left.toHandOver.length === 0 ? question : ''}
      <p>!${buttonLink({ href: '/account/data', label: say('Cancel') })}</p>`,
  });
}

function names(text: string, organizations: readonly { readonly name: string }[]): string {
  if (organizations.length === 0) return '';
  return html`<p>${text}</p>
    <ul>
      !${organizations.map(({ name }) => html`<li>${name}</li>`)}
    </ul>`;
}

/** With links to the pages that resolve it. */
function handOver(
  { account }: Visitor,
  organizations: readonly { readonly id: string; readonly name: string }[],
): string {
  if (organizations.length === 0) return '';
  const keyOf = (id: string): string =>
    account.memberships.find(({ organizationId }) => organizationId === id)?.organizationKey ?? '';
  return html`<p>
      ${say('You are the only owner of these organizations. Make another member an owner, or delete the organization, first:')}
    </p>
    <ul>
      !${organizations.map(
        ({ id, name }) =>
          html`<li>
            ${name}: <a href="${platformPath(keyOf(id), 'members')}">${say('choose a new owner')}</a>,
            <a href="${platformPath(keyOf(id), 'delete')}">${say('delete the organization')}</a>
          </li>`,
      )}
    </ul>`;
}

function requestedPage(dueAt: EpochMicroseconds): PersonalPage {
  return {
    title: say('Your account will be deleted'),
    main: html`<h1>${say('Your account will be deleted')}</h1>
      !${notice('good', say('You are signed out everywhere. We’ll send you an e-mail.'))}
      <p>
        !${sayHtml('It is deleted on {dueAt}. To cancel the deletion, {link} before then.', { dueAt: instant(isoMilliseconds(dueAt)), link: html`<a href="/auth/signin">${say('sign in')}</a>` })}
      </p>`,
  };
}
