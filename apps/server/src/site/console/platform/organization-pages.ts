import { html } from 'ghtml';
import { Type } from 'typebox';

import { corePermissions, organizations } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { field, form, notice, problemNotice, table } from '../../shell/form-controls.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { organizationDeletionPages, restorableSection } from './organization-deletion-pages.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
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
    startRedirect(tools),
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
    show: async ({ visitor }) => organizationsPage(tools, visitor),
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
      return { to: platformPath(key, 'members') };
    },
    refused: async ({ visitor, body }, problem) =>
      organizationsPage(tools, visitor, { problem, filled: body }),
  });
}

function startRedirect(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}',
    operationId: 'showOrganization',
    params: OrganizationParams,
    problems: [notFound],
    show: async ({ visitor, params: { org } }) => ({ to: await startPath(tools, visitor, org) }),
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
  readonly problem?: ProblemError;
  readonly filled?: { readonly name?: string; readonly platform_key?: string };
}

async function organizationsPage(
  tools: PlatformTools,
  visitor: Visitor,
  { problem, filled = {} }: ListOptions = {},
): Promise<PersonalPage> {
  const { account } = visitor;
  const rows = account.memberships.map(({ organizationId, organizationKey: key, organizationName, role }) => [
    html`<a href="${platformPath(key)}">${organizationName}</a>`,
    html`<code>${key}</code>`,
    html`${role}`,
    organizationId === account.organizationId
      ? 'Current organization'
      : form({
          action: platformPath(key, 'switch'),
          submit: 'Switch',
          label: `Switch to ${organizationName}`,
          small: true,
        }),
  ]);
  const fields = [
    field({
      name: 'name',
      label: 'Name',
      value: filled.name ?? '',
      maxLength: 100,
      autocomplete: 'off',
      problem,
    }),
    field({
      name: 'platform_key',
      label: 'Key',
      hint: 'Used in URLs and policies. Cannot be changed. 3–32 lowercase letters, digits, - or _.',
      value: filled.platform_key ?? '',
      maxLength: 32,
      autocomplete: 'off',
      problem,
    }),
  ].join('');
  return {
    title: 'Organizations',
    wide: true,
    main: html`<h1>Organizations</h1>
      !${table({ caption: 'Your organizations.', columns: ['Organization', 'Key', 'Your role', 'Current'], rows, empty: 'You are not a member of any organization.' })}
      !${await restorableSection(tools, visitor)}
      <h2>Create organization</h2>
      <p>
        You become its owner, and it becomes your current organization. Your permissions in other
        organizations do not change.
      </p>
      !${problemNotice(problem)} !${form({ action: '/platform', submit: 'Create organization', fields })}
      <p><a href="/account">Your account</a></p>`,
  };
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
  const fields = field({ name: 'name', label: 'Name', value: filled ?? name, maxLength: 100, problem });
  const rename = may(corePermissions.organizationActions.update)
    ? form({ action: platformPath(org, 'settings'), submit: 'Rename', fields })
    : '';
  const isCurrent = id === account.organizationId;
  return platformPage(tools, visitor, {
    org,
    tab: 'settings',
    title: name,
    main: html`<dl class="facts">
        <dt>Key</dt>
        <dd><code>${org}</code></dd>
        !${
          role === undefined
            ? ''
            : html`<dt>Your role</dt>
                <dd>${roleMeanings[role]}</dd>`
        }
      </dl>
      !${problemNotice(problem)} !${rename}
      !${isCurrent ? notice('plain', html`<p>This is your current organization.</p>`) : ''}
      !${!isCurrent && role !== undefined ? form({ action: platformPath(org, 'switch'), submit: 'Switch to this organization' }) : ''}
      !${role === undefined ? '' : html`<p><a href="${platformPath(org, 'members', account.username, 'remove')}">Leave organization</a></p>`}
      !${role === 'owner' ? await secondFactorSection(tools, visitor, org) : ''}
      !${role === 'owner' ? html`<p><a class="danger" href="${platformPath(org, 'delete')}">Delete organization</a></p>` : ''}`,
  });
}
