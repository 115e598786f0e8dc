import { html } from 'ghtml';
import { Type } from 'typebox';

import { corePermissions, organizations } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { field, form, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { accountPage } from '../account/account-frame.ts';
import { dataTable } from '../components/data-table.ts';
import { dialog, opensDialog } from '../components/dialog.ts';
import type { Row } from '../components/parts.ts';
import { badge, buttonLink, card, dangerZone, facts } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { organizationDeletionPages, restorableSection } from './organization-deletion-pages.ts';
import { overviewPage } from './overview-page.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
  NewQuery,
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  mayIn,
  platformPage,
  platformPath,
  startPath,
} from './platform-frame.ts';
import { roleMeanings } from './role-meanings.ts';
import { secondFactorRequirementPages, secondFactorSection } from './second-factor-requirement-pages.ts';

const Text = Type.Optional(Type.String({ maxLength: 400 }));
const NewOrganization = closedObject({ name: Text, platform_key: Text });
const OrganizationName = closedObject({ name: Text });

/** The organizations of an account: the list, a new one, the current one, and names. */
export function organizationPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [
    listPage(tools),
    createForm(tools),
    overviewPage(tools),
    switchForm(tools),
    settingsPage(tools),
    renameForm(tools),
    ...organizationDeletionPages(tools),
    ...secondFactorRequirementPages(tools),
  ];
}

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform',
    operationId: 'showOrganizations',
    query: NewQuery,
    show: async ({ visitor, query }) =>
      organizationsPage(tools, visitor, { isCreating: query.new !== undefined }),
  });
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform',
    operationId: 'createOrganizationOnPage',
    body: NewOrganization,
    problems: [conflict],
    show: async ({ visitor, body, client }) => {
      const { key } = await organizations.createOrganization(tools.access, {
        ...changeOf(visitor, body.platform_key ?? '', client),
        name: body.name ?? '',
      });
      return { to: platformPath(key) };
    },
    refused: async ({ visitor, body }, problem) =>
      organizationsPage(tools, visitor, { problem, filled: body }),
  });
}

function switchForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/switch',
    operationId: 'switchOrganizationOnPage',
    params: OrganizationParams,
    problems: [notFound],
    show: async ({ visitor, params: { org } }) => {
      await organizations.switchOrganization(tools.access, callerOfVisitor(visitor), org);
      return { to: await startPath(tools, visitor, org) };
    },
  });
}

function settingsPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/settings',
    operationId: 'showOrganizationSettings',
    params: OrganizationParams,
    problems: [forbidden, notFound],
    show: async ({ visitor, params }) => organizationPage(tools, visitor, params.org),
  });
}

function renameForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/settings',
    operationId: 'renameOrganizationOnPage',
    params: OrganizationParams,
    body: OrganizationName,
    problems: [forbidden, notFound],
    show: async ({ visitor, params: { org }, body, client }) => {
      await organizations.renameOrganization(tools.access, {
        ...changeOf(visitor, org, client),
        name: body.name ?? '',
      });
      return { to: platformPath(org, 'settings') };
    },
    refused: async ({ visitor, params, body }, problem) =>
      organizationPage(tools, visitor, params.org, { problem, filled: body.name ?? '' }),
  });
}

interface ListOptions {
  readonly isCreating?: boolean;
  readonly problem?: ProblemError;
  readonly filled?: { readonly name?: string; readonly platform_key?: string };
}

async function organizationsPage(
  tools: PlatformTools,
  visitor: Visitor,
  { problem, filled = {}, isCreating = false }: ListOptions = {},
): Promise<PersonalPage> {
  const fields = [
    field({
      name: 'name',
      label: say('Name'),
      value: filled.name ?? '',
      maxLength: 100,
      autocomplete: 'off',
      problem,
    }),
    field({
      name: 'platform_key',
      label: say('Key'),
      hint: say('Used in URLs and policies. Cannot be changed. 3–32 lowercase letters, digits, - or _.'),
      value: filled.platform_key ?? '',
      maxLength: 32,
      autocomplete: 'off',
      problem,
    }),
  ].join('');
  const words = wordsOf(visitor.language).console;
  const create = dialog(visitor.language, {
    id: 'create',
    title: words.createOrganization,
    lead: say(
      'You become its owner, and it becomes your current organization. Your permissions in other organizations do not change.',
    ),
    content: html`!${problemNotice(problem)}
    !${form({ action: '/platform', submit: say('Create organization'), fields })}`,
    isOpen: isCreating || problem !== undefined,
    closeHref: '/platform',
  });
  return accountPage(visitor, '/platform', {
    title: words.account.organizations,
    lead: say('Your organizations. Requests that name no organization use the current one.'),
    actions: buttonLink({
      href: `/platform${opensDialog}`,
      label: words.createOrganization,
      icon: 'plus',
      kind: 'primary',
      dialog: 'create',
    }),
    main: html`!${membershipList(visitor)} !${await restorableSection(tools, visitor)} !${create}`,
  });
}

function membershipList({ account, language }: Visitor): string {
  const { roles } = wordsOf(language).console;
  return dataTable(language, {
    caption: say('Your organizations.'),
    rows: account.memberships,
    columns: [
      {
        label: say('Organization'),
        place: 'main',
        cell: ({ organizationKey, organizationName }) =>
          html`<a class="name" href="${platformPath(organizationKey)}">${organizationName}</a>`,
      },
      {
        label: say('Key'),
        place: 'also',
        cell: ({ organizationKey }) => html`<code>${organizationKey}</code>`,
      },
      { label: say('Your role'), place: 'also', cell: ({ role }) => html`${roles[role] ?? role}` },
      {
        label: say('Current'),
        place: 'state',
        cell: ({ organizationId, organizationKey, organizationName }) =>
          organizationId === account.organizationId
            ? badge('good', say('Current organization'))
            : form({
                action: platformPath(organizationKey, 'switch'),
                submit: say('Switch'),
                label: say('Switch to {organizationName}', { organizationName }),
                small: true,
              }),
      },
    ],
    empty: { icon: 'building', title: say('You are not a member of any organization.') },
  });
}

async function organizationPage(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  { problem, filled }: { readonly problem?: ProblemError; readonly filled?: string } = {},
): Promise<PersonalPage> {
  const { account } = visitor;
  const { id, name } = await organizations.readOrganization(tools.access, callerOfVisitor(visitor), org);
  const may = await mayIn(tools, visitor, org);
  const role = account.memberships.find(({ organizationId }) => organizationId === id)?.role;
  const fields = field({ name: 'name', label: say('Name'), value: filled ?? name, maxLength: 100, problem });
  const rename = may(corePermissions.organizationActions.update)
    ? form({ action: platformPath(org, 'settings'), submit: say('Rename'), fields })
    : '';
  const isCurrent = id === account.organizationId;
  const words = wordsOf(visitor.language).console;
  return platformPage(tools, visitor, {
    org,
    tab: 'settings',
    title: words.sections.settings,
    main: html`!${problemNotice(problem)}
      <div class="stack">
        !${card({
          title: name,
          isPadded: true,
          action: isCurrent ? badge('good', say('Current organization')) : '',
          content: html`!${facts([
            [say('Key'), html`<code>${org}</code>`],
            [say('Your role'), role === undefined ? '' : html`${say(roleMeanings[role])}`],
          ])}
          !${rename}
          !${!isCurrent && role !== undefined ? form({ action: platformPath(org, 'switch'), submit: say('Switch to this organization'), small: true }) : ''}`,
        })}
        !${role === 'owner' ? await secondFactorSection(tools, visitor, org) : ''}
      </div>
      !${dangerZone(visitor.language, endingsOf(visitor, { key: org, name, role }))}`,
  });
}

/** What a member, and what an owner, can end. */
function endingsOf(
  { account }: Visitor,
  {
    key: org,
    name,
    role,
  }: { readonly key: string; readonly name: string; readonly role: string | undefined },
): readonly Row[] {
  const link = (href: string, label: string): string => buttonLink({ href, label, kind: 'danger' });
  return [
    ...(role === undefined
      ? []
      : [
          {
            title: say('Leave {name}', { name }),
            text: say('Your tokens, group memberships and invitations in it are deleted.'),
            end: link(platformPath(org, 'members', account.username, 'remove'), say('Leave organization')),
          },
        ]),
    ...(role === 'owner'
      ? [
          {
            title: say('Delete {name}', { name }),
            text: say('All members lose access. Data is deleted after 30 days.'),
            end: link(platformPath(org, 'delete'), say('Delete organization')),
          },
        ]
      : []),
  ];
}
