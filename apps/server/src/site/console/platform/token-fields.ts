import { html } from 'ghtml';

import { capabilities, corePermissions, permissions, platformTokens } from '../../../access/index.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { command, field, hidden, select } from '../../shell/form-controls.ts';
import type { Text } from '../../shell/words/say.ts';
import { say, sayDays, sayList } from '../../shell/words/say.ts';
import { storageCapabilities } from '../storage/storage-capabilities.ts';
import { capabilityReport, platformCapabilities, sayAllowed } from './capability-report.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import { mayIn, platformTabs } from './platform-frame.ts';
import type { Picked } from './policy-picker.ts';
import { pickerFields } from './policy-picker.ts';
import { groupSource, policySource, relationField } from './relation-fields.ts';
import { nameThings, orIfRefused } from './resource-names.ts';

const daySeconds = 86_400;
const lifetimes = () => [
  { value: '', label: say('never') },
  ...[1, 30, 90, 365].map((days) => ({
    value: String(days * daySeconds),
    label: sayDays(days),
  })),
];
export const modes = {
  token_policies: 'Only the permissions selected here',
  owner: 'All current permissions of its creator',
} as const satisfies Readonly<Record<string, Text>>;

/** The submitted values of a form that is shown again. */
export interface TokenFilled {
  readonly mode?: string;
  readonly policies?: readonly string[];
  readonly policies_before?: readonly string[];
  readonly policies_query?: string;
  readonly groups?: readonly string[];
  readonly groups_before?: readonly string[];
  readonly groups_query?: string;
}

export interface NewTokenFilled extends TokenFilled, Picked {
  readonly expires?: string;
}

/** Whether the visitor may give a new token jobs, which creates a policy for it. */
async function mayGiveJobs({ tools, visitor, org }: PlatformPlace): Promise<boolean> {
  const may = await mayIn(tools, visitor, org);
  const { policies, tokens } = platformTabs;
  return (
    may(policies.create, ...policies.kind) &&
    may(corePermissions.apiTokenFieldAction('mode'), ...tokens.kind) &&
    may(corePermissions.apiTokenFieldAction('policies_to_add'), ...tokens.kind)
  );
}

export async function newTokenFields(
  place: PlatformPlace,
  filled: NewTokenFilled,
  problem: ProblemError | undefined,
): Promise<string> {
  const withJobs = await mayGiveJobs(place);
  const fresh = { mode: withJobs ? 'token_policies' : 'owner', policies: [], groups: [] };
  // Browsers omit unchecked fields: with a mode, the form was sent.
  const expires = filled.mode === undefined ? String(90 * daySeconds) : (filled.expires ?? '');
  const [mode = '', ...relations] = await modeFields(place, {
    place: ['api-tokens'],
    token: fresh,
    filled,
  });
  const isOpen = !withJobs || [filled.policies, filled.groups].some((sent) => sent !== undefined);
  return [
    field({
      name: 'name',
      label: say('Name'),
      hint: say('Used in URLs.'),
      value: filled.name ?? '',
      maxLength: 100,
      autocomplete: 'off',
      problem,
    }),
    select({ name: 'expires', label: say('Expires'), options: lifetimes(), chosen: [expires] }),
    mode,
    withJobs ? await pickerFields(place, filled, problem ?? null, { of: 'token' }) : '',
    relations.length === 0
      ? ''
      : html`<details !${isOpen ? 'open' : ''}>
          <summary>${say('Attach existing policies or groups')}</summary>
          !${relations}
        </details>`,
  ].join('');
}

/** Each field requires the permission to write it; other members create tokens in owner mode. */
export async function modeFields(
  { tools, visitor, org }: PlatformPlace,
  options: {
    /** The collection, or the edited token. */
    readonly place: readonly string[];
    readonly token: {
      readonly mode: string;
      readonly policies: readonly number[];
      readonly groups: readonly number[];
    };
    readonly filled: TokenFilled | undefined;
  },
): Promise<readonly string[]> {
  const { place, token, filled = {} } = options;
  const may = await mayIn(tools, visitor, org);
  const writes = (one: Parameters<typeof corePermissions.apiTokenFieldAction>[0]): boolean =>
    may(corePermissions.apiTokenFieldAction(one), ...place);
  const relations = [
    writes('policies_to_add') || writes('policies_to_remove')
      ? await relationField({
          name: 'policies',
          label: say('Policies'),
          hint: say('You can grant only permissions that you have.'),
          source: await policySource(tools, visitor, org),
          chosen: token.policies.map(String),
          filled: { now: filled.policies, before: filled.policies_before, query: filled.policies_query },
        })
      : '',
    writes('groups_to_add') || writes('groups_to_remove')
      ? await relationField({
          name: 'groups',
          label: say('Groups'),
          hint: say('The token gets the permissions of their policies.'),
          source: await groupSource(tools, visitor, org),
          chosen: token.groups.map(String),
          filled: { now: filled.groups, before: filled.groups_before, query: filled.groups_query },
        })
      : '',
  ].filter((one) => one !== '');
  const mode = writes('mode')
    ? select({
        name: 'mode',
        label: say('Permissions'),
        options: Object.entries(modes).map(([value, text]) => ({ value, label: say(text) })),
        chosen: [filled.mode ?? token.mode],
      })
    : hidden('mode', token.mode);
  return [mode, ...relations];
}

/** The effective permissions of a token: none while its creator lacks a required second factor. */
async function tokenAuthority(
  { access }: PlatformTools,
  token: Parameters<typeof platformTokens.callerOfToken>[0],
  org: string,
): Promise<permissions.Authority> {
  const actor = await orIfRefused(access.authorities.actorIn(platformTokens.callerOfToken(token), org), null);
  return actor?.authority ?? permissions.compileAuthority([]);
}

export async function tokenReport(
  place: PlatformPlace,
  token: Parameters<typeof platformTokens.callerOfToken>[0],
): Promise<string> {
  const { tools, org } = place;
  const authority = await tokenAuthority(tools, token, org);
  return reportOfToken(place, authority, { isOwn: token.mode === 'token_policies' });
}

/** What a token with these permissions can do, and what it cannot despite its policies. */
export async function reportOfToken(
  place: PlatformPlace,
  authority: permissions.Authority,
  { isOwn }: { readonly isOwn: boolean },
): Promise<string> {
  const { tools, org } = place;
  const nameOf = await nameThings(place, authority);
  const { can: stored } = capabilities.reportCapabilities(authority, org, storageCapabilities);
  const why = say('Platform tokens cannot access projects and files. Use an API key or an access token.');
  const list = sayList(stored.map((one) => sayAllowed(one, nameOf)));
  const notGiven =
    isOwn && stored.length > 0
      ? html`<p><strong>${say('It cannot {list}.', { list })}</strong> ${why}</p>`
      : html`<p class="hint">${why}</p>`;
  return capabilityReport({
    subject: 'token',
    org,
    authority,
    of: platformCapabilities,
    nameOf,
    ...(tools.files !== null && { notGiven }),
  });
}

/** An example request that this token may send. */
export async function curlLine(
  tools: PlatformTools,
  token: Parameters<typeof platformTokens.callerOfToken>[0],
  org: string,
  secret: string,
): Promise<string> {
  const authority = await tokenAuthority(tools, token, org);
  const first = firstRequests.find(({ action, kind }) =>
    permissions.allows(authority, action, permissions.resourceOf(org, ...kind)),
  );
  if (first === undefined) return '';
  const address = tools.identity.baseUrl + first.path(org, token.creator.username);
  return command(say('Example request'), `curl -H 'authorization: Api-Token ${secret}' '${address}'`);
}

const firstRequests = [
  {
    ...tried(platformTabs.agents),
    path: (org: string, username: string) => `/dm/api/search/orgs/${org}/users/${username}/mentors/`,
  },
  { ...tried(platformTabs.members), path: (org: string) => `/dm/api/core/rbac/members/?platform_key=${org}` },
  {
    ...tried(platformTabs.policies),
    path: (org: string) => `/dm/api/core/rbac/policies/?platform_key=${org}`,
  },
  { ...tried(platformTabs.groups), path: (org: string) => `/dm/api/core/rbac/groups/?platform_key=${org}` },
  {
    ...tried(platformTabs.tokens),
    path: (org: string) => `/dm/api/core/platform/api-tokens/?platform_key=${org}`,
  },
  { ...tried(platformTabs.settings), path: (org: string) => `/dm/api/core/organizations/${org}` },
];

function tried({ read, kind }: { readonly read: permissions.Action; readonly kind: readonly string[] }) {
  return { action: read, kind };
}
