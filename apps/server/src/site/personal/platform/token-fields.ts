import { permissions, platformTokens } from '../../../access/index.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { command, field, hidden, select } from '../../shell/form-controls.ts';
import type { Visitor } from '../visitor.ts';
import { capabilityReport } from './capability-report.ts';
import type { PlatformTools } from './platform-frame.ts';
import { mayIn, platformTabs } from './platform-frame.ts';
import { groupOptions, policyOptions, relationField } from './relation-fields.ts';

const daySeconds = 86_400;
const lifetimes = [
  { value: '', label: 'never' },
  ...[1, 30, 90, 365].map((days) => ({
    value: String(days * daySeconds),
    label: `in ${days === 1 ? 'a day' : `${days} days`}`,
  })),
];
export const modes = [
  { value: 'owner', label: 'owner: what you may do, as long as you may do it' },
  { value: 'token_policies', label: 'token_policies: its own policies and groups, nothing else' },
] as const;
/** What was sent before something was wrong. */
export interface TokenFilled {
  readonly mode?: string;
  readonly policies?: readonly string[];
  readonly policies_before?: readonly string[];
  readonly groups?: readonly string[];
  readonly groups_before?: readonly string[];
}

export interface NewTokenFilled extends TokenFilled {
  readonly name?: string;
  readonly expires?: string;
}

export async function newTokenFields(
  tools: PlatformTools,
  visitor: Visitor,
  { org, filled = {} }: { readonly org: string; readonly filled: NewTokenFilled | undefined },
  problem: ProblemError | undefined,
): Promise<string> {
  const fresh = { mode: 'owner', policies: [], groups: [] };
  // A browser leaves out what is empty: with a mode, the form was sent.
  const expires = filled.mode === undefined ? String(90 * daySeconds) : (filled.expires ?? '');
  return [
    field(
      {
        name: 'name',
        label: 'Name',
        hint: 'It names the token in addresses.',
        value: filled.name ?? '',
        maxLength: 100,
        autocomplete: 'off',
      },
      problem,
    ),
    select({ name: 'expires', label: 'Expires', options: lifetimes, chosen: [expires] }),
    ...(await modeFields(tools, visitor, { org, place: ['api-tokens'], token: fresh, filled })),
  ].join('');
}

/** Writing these needs a permission of its own; whoever has not got it creates tokens in owner mode. */
export async function modeFields(
  tools: PlatformTools,
  visitor: Visitor,
  options: {
    readonly org: string;
    /** The collection, or the token that is changed. */
    readonly place: readonly string[];
    readonly token: {
      readonly mode: string;
      readonly policies: readonly number[];
      readonly groups: readonly number[];
    };
    readonly filled: TokenFilled | undefined;
  },
): Promise<readonly string[]> {
  const { org, place, token, filled = {} } = options;
  const may = await mayIn(tools, visitor, org);
  const writes = (one: Parameters<typeof permissions.apiTokenFieldAction>[0]): boolean =>
    may(permissions.apiTokenFieldAction(one), ...place);
  const relations = [
    writes('policies_to_add') || writes('policies_to_remove')
      ? relationField({
          name: 'policies',
          label: 'Policies',
          hint: 'Only in token_policies mode. You must hold what you give.',
          options: await policyOptions(tools, visitor, org),
          chosen: token.policies.map(String),
          filled: { now: filled.policies, before: filled.policies_before },
        })
      : '',
    writes('groups_to_add') || writes('groups_to_remove')
      ? relationField({
          name: 'groups',
          label: 'Groups',
          hint: 'Only in token_policies mode.',
          options: await groupOptions(tools, visitor, org),
          chosen: token.groups.map(String),
          filled: { now: filled.groups, before: filled.groups_before },
        })
      : '',
  ].filter((one) => one !== '');
  const mode = writes('mode')
    ? select({ name: 'mode', label: 'Mode', options: modes, chosen: [filled.mode ?? token.mode] })
    : hidden('mode', token.mode);
  return [mode, ...relations];
}

/** What a token may do at this moment. */
async function tokenAuthority(
  { access }: PlatformTools,
  token: Parameters<typeof platformTokens.callerOfToken>[0],
  org: string,
): Promise<permissions.Authority> {
  const actor = await access.authorities.actorIn(platformTokens.callerOfToken(token), org);
  return actor?.authority ?? permissions.compileAuthority([]);
}

export async function tokenReport(
  tools: PlatformTools,
  token: Parameters<typeof platformTokens.callerOfToken>[0],
  org: string,
): Promise<string> {
  return capabilityReport('This token', await tokenAuthority(tools, token, org), org);
}

/** A first request for something that this token may read. */
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
  return command('Try it', `curl -H 'authorization: Api-Token ${secret}' '${address}'`);
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
