import { html } from 'ghtml';

import { organizations } from '../../../access/index.ts';
import { agents } from '../../../agents/index.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { organizations as ownedOrganizations, useCases } from '../../../identity/index.ts';
import { projects } from '../../../storage/index.ts';
import { form, instant, notice, problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { ProofForm, guardedForm, proofOf } from '../account/guarded-form.ts';
import { asWrongPassword } from '../account/password-pages.ts';
import { cellColumns, dataTable } from '../components/data-table.ts';
import { buttonLink } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { readableSize } from '../storage/storage-frame.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  platformPage,
  platformPath,
} from './platform-frame.ts';

/** Where owners delete an organization, after a summary of what is deleted, and where they restore it. */
export function organizationDeletionPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/platform/{org}/delete',
      operationId: 'showOrganizationDeletion',
      params: OrganizationParams,
      problems: [forbidden, notFound],
      show: async ({ visitor, params }) => questionPage(tools, visitor, params.org),
    }),
    defineMemberForm(tools, {
      path: '/platform/{org}/delete',
      operationId: 'requestOrganizationDeletion',
      // Requires the password: it counts as an attempt at the sign-in form, in the same window.
      surface: tools.signInForms,
      params: OrganizationParams,
      body: ProofForm,
      problems: [...useCases.proofProblems, conflict, forbidden, notFound],
      show: async ({ visitor, params: { org }, body, client }) => {
        const dueAt = await organizations.requestOrganizationDeletion(tools.identity, {
          ...changeOf(visitor, org, client),
          ...proofOf(visitor, body),
        });
        return requestedPage(org, dueAt);
      },
      refused: async ({ visitor, params }, problem) =>
        questionPage(tools, visitor, params.org, asWrongPassword(problem)),
    }),
    defineMemberForm(tools, {
      path: '/platform/{org}/restore',
      operationId: 'cancelOrganizationDeletion',
      params: OrganizationParams,
      problems: [forbidden, notFound],
      show: async ({ visitor, params: { org }, client }) => {
        const asked = changeOf(visitor, org, client);
        await organizations.cancelOrganizationDeletion(tools.identity, asked);
        return { to: platformPath(org) };
      },
    }),
  ];
}

async function questionPage(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  problem: ProblemError | null = null,
): Promise<PersonalPage> {
  const { organizationId } = await organizations.requireOwner(tools.access, callerOfVisitor(visitor), org);
  const path = platformPath(org, 'delete');
  const question = await guardedForm(tools, visitor, {
    guards: 'delete_organization',
    page: path,
    action: path,
    submit: say('Delete organization {org}', { org }),
    dangerous: true,
    problem,
  });
  const only = visitor.account.memberships.every(({ organizationKey }) => organizationKey === org);
  return platformPage(tools, visitor, {
    org,
    tab: 'settings',
    title: say('Delete organization?'),
    main: html`!${problemNotice(problem)}
      <p>
        !${sayHtml('All members lose access immediately. Tokens, API keys, shares and links stop working, and open invitations are cancelled. After {deletionGraceDays} days the following data is deleted permanently. {strong}', { deletionGraceDays: html`${useCases.deletionGraceDays}`, strong: html`<strong>${say('An owner can restore the organization before then.')}</strong>` })}
      </p>
      !${await contentsTable(tools, visitor, organizationId)}
      !${
        only
          ? html`<p>
              ${say('You are not a member of any other organization. A new, empty organization is created for you, because every account needs one.')}
            </p>`
          : ''
      }
      !${question}
      <p>!${buttonLink({ href: platformPath(org, 'settings'), label: say('Cancel') })}</p>`,
  });
}

async function contentsTable(
  { access: { database, clock } }: PlatformTools,
  { language }: Visitor,
  id: Parameters<typeof organizations.countContents>[1],
): Promise<string> {
  const held = await organizations.countContents(database, id, clock.now());
  const files = await projects.countStorageContents(database, id);
  const counts: readonly (readonly [string, number | string])[] = [
    [say('Members'), held.members],
    [say('Open invitations'), held.invitations],
    [say('API tokens'), held.tokens],
    [say('Groups'), held.groups],
    [say('Policies'), held.policies],
    [say('Agents'), await agents.countAgents(database, { id })],
    [say('Storage projects'), files.projects],
    [say('Stored files'), readableSize(files.bytes)],
    [say('Shares'), held.shares],
    [say('Links'), files.links],
  ];
  return dataTable(language, {
    caption: say('Data to be deleted.'),
    columns: cellColumns([say('Data'), say('Amount')], ['main', 'state']),
    rows: counts.map(([name, count]) => [html`${name}`, html`${String(count)}`]),
    empty: { icon: 'box', title: '' },
  });
}

function requestedPage(org: string, dueAt: EpochMicroseconds): PersonalPage {
  return {
    title: say('The organization will be deleted'),
    main: html`<h1>${say('The organization will be deleted')}</h1>
      !${notice('good', html`!${sayHtml('{code} is disabled. We sent an e-mail to its owners.', { code: html`<code>${org}</code>` })}`)}
      <p>
        !${sayHtml('It is deleted permanently on {dueAt}. Until then an owner can restore it on {link}.', { dueAt: instant(isoMilliseconds(dueAt)), link: html`<a href="/platform">${say('Organizations')}</a>` })}
      </p>`,
  };
}

/** For the list of organizations: those that the visitor can restore. */
export async function restorableSection(
  { identity }: PlatformTools,
  { account, language }: Visitor,
): Promise<string> {
  const found = await ownedOrganizations.listRestorableOrganizations(identity.database, account.id);
  if (found.length === 0) return '';
  const rows = found.map(({ key, name, dueAt }) => [
    html`${name}`,
    html`<code>${key}</code>`,
    instant(isoMilliseconds(dueAt)),
    form({
      action: platformPath(key, 'restore'),
      submit: say('Restore'),
      label: say('Restore {name}', { name }),
      small: true,
    }),
  ]);
  return html`<h2>${say('Deleted organizations')}</h2>
    !${dataTable(language, {
      caption: say('You own these and can restore them.'),
      columns: cellColumns(
        [say('Organization'), say('Key'), say('Deleted permanently on'), say('Restore')],
        ['main', 'also', 'also', 'state'],
      ),
      rows,
      empty: { icon: 'box', title: '' },
    })}`;
}
