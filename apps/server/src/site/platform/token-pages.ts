import { html } from 'ghtml';
import { Type } from 'typebox';

import { platformTokens } from '../../access/index.ts';
import { conflict, forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { ProblemError } from '../../foundation/problem.ts';
import { credentials } from '../../identity/index.ts';
import {
  field,
  form,
  hidden,
  instant,
  notice,
  problemNotice,
  select,
  shownOnce,
  table,
} from '../form-controls.ts';
import type { PersonalPage } from '../personal-route.ts';
import { defineMemberForm, defineMemberPage } from '../personal-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  organizationParams,
  platformPage,
  platformPath,
} from './platform-frame.ts';
import {
  groupOptions,
  numbersOf,
  policyOptions,
  relationChange,
  relationField,
  relationProperties,
} from './relation-fields.ts';

const daySeconds = 86_400;
const lifetimes = [
  { value: '', label: 'never' },
  ...[1, 30, 90, 365].map((days) => ({
    value: String(days * daySeconds),
    label: `in ${days === 1 ? 'a day' : `${days} days`}`,
  })),
];
const modes = [
  { value: 'owner', label: 'owner: what you may do, as long as you may do it' },
  { value: 'token_policies', label: 'token_policies: its own policies and groups, nothing else' },
] as const;
const Mode = Type.Enum(modes.map(({ value }) => value));
const relations = { ...relationProperties('policies'), ...relationProperties('groups') };
const NewTokenForm = Type.Object(
  {
    name: platformTokens.NewPlatformTokenSchema.properties.name,
    expires: Type.Optional(Type.String({ pattern: '^[0-9]{1,10}$' })),
    mode: Mode,
    ...relations,
  },
  { additionalProperties: false },
);
const TokenForm = Type.Object({ mode: Mode, ...relations }, { additionalProperties: false });
const TokenParams = Type.Object({ ...organizationParams, name: Type.String({ maxLength: 200 }) });
const problems = [forbidden, notFound];

export function tokenPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [listPage(tools), createForm(tools), onePage(tools), changeForm(tools), removeForm(tools)];
}

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/tokens',
    operationId: 'showTokens',
    summary: 'The platform tokens of an organization.',
    params: OrganizationParams,
    problems,
    show: async ({ visitor, params }) => tokensPage(tools, visitor, params),
  });
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/tokens',
    operationId: 'createTokenOnPage',
    summary: 'Makes a platform token and shows its secret once.',
    params: OrganizationParams,
    body: NewTokenForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params, body, request }) => {
      const { org } = params;
      const { token, secret } = await platformTokens.createPlatformToken(tools.access, {
        ...changeOf(visitor, org, credentials.clientOf(request)),
        token: {
          username: visitor.account.username,
          name: body.name,
          created: isoMilliseconds(tools.identity.clock.now()),
          expires: body.expires ?? '',
          mode: body.mode,
          ...attached(body),
        },
      });
      const news = html`<p>The token <strong>${token.name}</strong> works from now on.</p>
        !${shownOnce('Its secret', secret)}`;
      return tokensPage(tools, visitor, { org, news });
    },
    refused: async ({ visitor, params, body }, problem) =>
      tokensPage(tools, visitor, { ...params, problem, filled: body }),
  });
}

/** Only what was changed is said: an empty relation in owner mode would be one too many. */
function attached(body: {
  readonly policies?: readonly string[];
  readonly policies_before?: readonly string[];
  readonly groups?: readonly string[];
  readonly groups_before?: readonly string[];
}) {
  const policies = relationChange(body.policies, body.policies_before);
  const groups = relationChange(body.groups, body.groups_before);
  const said = {
    policies_to_add: policies.add,
    policies_to_remove: policies.remove,
    groups_to_add: groups.add,
    groups_to_remove: groups.remove,
  };
  return Object.fromEntries(
    Object.entries(said)
      .filter(([, values]) => values.length > 0)
      .map(([field, values]) => [field, numbersOf(values)]),
  );
}

function onePage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/tokens/{name}',
    operationId: 'showToken',
    summary: 'A platform token, its mode and what is attached to it.',
    params: TokenParams,
    problems,
    show: async ({ visitor, params }) => tokenPage(tools, visitor, params),
  });
}

function changeForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/tokens/{name}',
    operationId: 'changeTokenOnPage',
    summary: 'Changes mode, policies and groups of a token.',
    params: TokenParams,
    body: TokenForm,
    problems,
    show: async ({ visitor, params, body, request }) => {
      const { mode: before } = await platformTokens.readPlatformToken(
        tools.access,
        callerOfVisitor(visitor),
        {
          platformKey: params.org,
          name: params.name,
        },
      );
      await platformTokens.changePlatformToken(tools.access, {
        ...changeOf(visitor, params.org, credentials.clientOf(request)),
        name: params.name,
        fields: { ...(body.mode !== before && { mode: body.mode }), ...attached(body) },
      });
      return tokenPage(tools, visitor, {
        ...params,
        news: 'Saved. It holds on every process within a second.',
      });
    },
    refused: async ({ visitor, params }, problem) => tokenPage(tools, visitor, { ...params, problem }),
  });
}

function removeForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/tokens/{name}/remove',
    operationId: 'removeTokenOnPage',
    summary: 'Deletes a token; every process refuses it within a second.',
    params: TokenParams,
    problems,
    show: async ({ visitor, params: { org, name }, request }) => {
      const change = changeOf(visitor, org, credentials.clientOf(request));
      await platformTokens.removePlatformToken(tools.access, { ...change, name });
      return { to: platformPath(org, 'tokens') };
    },
  });
}

interface ListOptions {
  readonly org: string;
  readonly news?: string;
  readonly problem?: ProblemError;
  readonly filled?: { readonly name?: string; readonly mode?: string };
}

async function tokensPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, news, problem, filled = {} }: ListOptions,
): Promise<PersonalPage> {
  const tokens = await platformTokens.listPlatformTokens(tools.access, callerOfVisitor(visitor), org);
  const rows = tokens.map((token) => [
    html`<a href="${platformPath(org, 'tokens', token.name)}">${token.name}</a>`,
    html`${token.creator.username}`,
    html`<code>${token.mode}</code>`,
    instant(isoMilliseconds(token.createdAt)),
    token.expiresAt === null ? 'never' : instant(isoMilliseconds(token.expiresAt)),
  ]);
  return platformPage(
    { org, tab: 'tokens' },
    {
      title: 'Platform tokens',
      main: html`<p>
          For programs that work on the platform: send <code>Authorization: Api-Token</code> and the secret.
        </p>
        !${news === undefined ? '' : notice('good', news)}
        !${table({ caption: 'Yours, and those of members you may act for.', columns: ['Name', 'Of', 'Mode', 'Made', 'Expires'], rows, empty: 'There are no tokens yet.' })}
        <h2>Make a token</h2>
        !${problemNotice(problem)}
        !${form({ action: platformPath(org, 'tokens'), submit: 'Make token', fields: await newTokenFields(tools, visitor, { org, filled }, problem) })}`,
    },
  );
}

async function newTokenFields(
  tools: PlatformTools,
  visitor: Visitor,
  { org, filled = {} }: Pick<ListOptions, 'org' | 'filled'>,
  problem: ProblemError | undefined,
): Promise<string> {
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
    select({ name: 'expires', label: 'Expires', options: lifetimes, chosen: [String(90 * daySeconds)] }),
    ...(await modeFields(tools, visitor, org, { mode: filled.mode ?? 'owner', policies: [], groups: [] })),
  ].join('');
}

/** Writing these needs a permission of its own; whoever has not got it makes tokens in owner mode. */
async function modeFields(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  token: { readonly mode: string; readonly policies: readonly number[]; readonly groups: readonly number[] },
): Promise<readonly string[]> {
  const writable = await platformTokens.readFieldPermissions(tools.access, callerOfVisitor(visitor), org);
  if (!writable.mode.write) return [hidden('mode', token.mode)];
  return [
    select({ name: 'mode', label: 'Mode', options: modes, chosen: [token.mode] }),
    relationField({
      name: 'policies',
      label: 'Policies',
      hint: 'Only in token_policies mode. You must hold what you give.',
      options: await policyOptions(tools, visitor, org),
      chosen: token.policies.map(String),
    }),
    relationField({
      name: 'groups',
      label: 'Groups',
      hint: 'Only in token_policies mode.',
      options: await groupOptions(tools, visitor, org),
      chosen: token.groups.map(String),
    }),
  ];
}

interface OneOptions {
  readonly org: string;
  readonly name: string;
  readonly news?: string;
  readonly problem?: ProblemError;
}

async function tokenPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, name, news, problem }: OneOptions,
): Promise<PersonalPage> {
  const caller = callerOfVisitor(visitor);
  const token = await platformTokens.readPlatformToken(tools.access, caller, { platformKey: org, name });
  const here = platformPath(org, 'tokens', name);
  const fields = await modeFields(tools, visitor, org, token);
  return platformPage(
    { org, tab: 'tokens' },
    {
      title: token.name,
      main: html`<dl class="facts">
          <dt>Of</dt>
          <dd>${token.creator.username}</dd>
          <dt>Mode</dt>
          <dd><code>${token.mode}</code></dd>
          <dt>Made</dt>
          <dd>!${instant(isoMilliseconds(token.createdAt))}</dd>
          <dt>Expires</dt>
          <dd>!${token.expiresAt === null ? 'never' : instant(isoMilliseconds(token.expiresAt))}</dd>
        </dl>
        !${news === undefined ? '' : notice('good', html`<p>${news}</p>`)} !${problemNotice(problem)}
        !${fields.length === 1 ? '' : form({ action: here, submit: 'Save', fields: fields.join('') })}
        !${form({ action: `${here}/remove`, submit: 'Delete token', dangerous: true })}`,
    },
  );
}
