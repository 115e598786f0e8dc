import { html } from 'ghtml';
import { Type } from 'typebox';

import { corePermissions, platformTokens, policies } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { form, instant, notice, problemNotice, shownOnce, table } from '../../shell/form-controls.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import {
  FindQuery,
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  findForm,
  findOf,
  mayIn,
  olderLink,
  organizationParams,
  platformPage,
  platformPath,
  platformTabs,
} from './platform-frame.ts';
import { pickedProperties } from './policy-picker.ts';
import {
  findProperty,
  notSavedYet,
  numbersOf,
  relationChange,
  relationProperties,
} from './relation-fields.ts';
import { removalLink, removalPages } from './removal-pages.ts';
import type { NewTokenFilled, TokenFilled } from './token-fields.ts';
import { curlLine, modeFields, modes, newTokenFields, tokenReport } from './token-fields.ts';
import { createTokenWithJobs, previewOfToken, requireChoice } from './token-jobs.ts';

const Mode = Type.Enum(modes.map(({ value }) => value));
const relations = {
  ...relationProperties('policies'),
  ...relationProperties('groups'),
  ...findProperty,
};
const NewTokenForm = closedObject({
  name: platformTokens.NewPlatformTokenSchema.properties.name,
  expires: Type.Optional(Type.String({ pattern: '^[0-9]{1,10}$' })),
  mode: Mode,
  ...relations,
  ...pickedProperties,
});
const TokenForm = closedObject({ mode: Mode, ...relations });
const TokenParams = Type.Object({ ...organizationParams, name: Type.String({ maxLength: 200 }) });
const problems = [forbidden, notFound];

export function tokenPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [listPage(tools), createForm(tools), onePage(tools), changeForm(tools), ...removalOf(tools)];
}

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/tokens',
    operationId: 'showTokens',
    params: OrganizationParams,
    query: FindQuery,
    problems,
    show: async ({ visitor, params, query }) => tokensPage(tools, visitor, { ...params, ...findOf(query) }),
  });
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/tokens',
    operationId: 'createTokenOnPage',
    params: OrganizationParams,
    body: NewTokenForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params, body, client }) => {
      const { org } = params;
      const place = { tools, visitor, org };
      if (body.find !== undefined)
        return tokensPage(tools, visitor, { org, filled: body, hint: notSavedYet });
      requireChoice(body);
      if (body.preview !== undefined)
        return tokensPage(tools, visitor, { org, filled: body, preview: await previewOfToken(place, body) });
      const asked = {
        username: visitor.account.username,
        name: body.name,
        created: isoMilliseconds(tools.identity.clock.now()),
        expires: body.expires ?? '',
        mode: body.mode,
        ...attached(body),
      };
      const change = changeOf(visitor, org, client);
      const { token, secret } = await createTokenWithJobs(place, change, asked, body);
      const news = html`<p>The token <strong>${token.name}</strong> is active.</p>
        !${shownOnce('Secret', secret)} !${await curlLine(tools, token, org, secret)}
        !${await tokenReport(place, token)}`;
      return tokensPage(tools, visitor, { org, news });
    },
    refused: async ({ visitor, params, body }, problem) =>
      tokensPage(tools, visitor, { ...params, problem, filled: body }),
  });
}

/** Sends only changed fields: an empty relation would be invalid in owner mode. */
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
    params: TokenParams,
    problems,
    show: async ({ visitor, params }) => tokenPage(tools, visitor, params),
  });
}

function changeForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/tokens/{name}',
    operationId: 'changeTokenOnPage',
    params: TokenParams,
    body: TokenForm,
    problems,
    show: async ({ visitor, params, body, client }) => {
      if (body.find !== undefined)
        return tokenPage(tools, visitor, { ...params, filled: body, hint: notSavedYet });
      const { mode: before } = await platformTokens.readPlatformToken(
        tools.access,
        callerOfVisitor(visitor),
        {
          platformKey: params.org,
          name: params.name,
        },
      );
      await platformTokens.changePlatformToken(tools.access, {
        ...changeOf(visitor, params.org, client),
        name: params.name,
        fields: { ...(body.mode !== before && { mode: body.mode }), ...attached(body) },
      });
      return tokenPage(tools, visitor, {
        ...params,
        news: 'Saved. Changes take effect within a second.',
      });
    },
    refused: async ({ visitor, params, body }, problem) =>
      tokenPage(tools, visitor, { ...params, problem, filled: body }),
  });
}

function removalOf(tools: PlatformTools): readonly RouteDeclaration[] {
  return removalPages(tools, {
    path: '/platform/{org}/tokens/{name}/remove',
    operationId: 'removeTokenOnPage',
    params: TokenParams,
    problems,
    describe: async ({ visitor, params: { org, name } }) => {
      const asked = { platformKey: org, name };
      const token = await platformTokens.readPlatformToken(tools.access, callerOfVisitor(visitor), asked);
      const here = platformPath(org, 'tokens', name);
      return {
        org,
        tab: 'tokens',
        title: `Delete token ${name}?`,
        consequences: html`<p>
          Programs that use this token lose access within a second. The token was created by
          ${token.creator.username}. A policy that was created with it is also deleted, unless a group or
          another token uses it.
        </p>`,
        submit: `Delete ${name}`,
        action: `${here}/remove`,
        back: here,
      };
    },
    remove: async ({ visitor, params: { org, name }, client }) => {
      const change = changeOf(visitor, org, client);
      await platformTokens.removePlatformToken(tools.access, { ...change, name });
      return { to: platformPath(org, 'tokens') };
    },
  });
}

interface ListOptions {
  readonly org: string;
  /** The number of a page, from 1. */
  readonly cursor?: string;
  readonly query?: string;
  readonly news?: string;
  /** Preview of the token. */
  readonly preview?: string;
  /** Notes before continuing. */
  readonly hint?: string;
  readonly problem?: ProblemError;
  readonly filled?: NewTokenFilled;
}

const tokensPerPage = 50;

async function tokensPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, cursor = '1', query, news, preview = '', hint, problem, filled = {} }: ListOptions,
): Promise<PersonalPage> {
  const all = await platformTokens.listPlatformTokens(tools.access, callerOfVisitor(visitor), org);
  const may = await mayIn(tools, visitor, org);
  const now = tools.identity.clock.now();
  const sought = (query ?? '').toLowerCase();
  const found = all.filter(({ name }) => name.toLowerCase().includes(sought));
  const page = /^[1-9][0-9]{0,3}$/.test(cursor) ? Number(cursor) : 1;
  const rows = found
    .slice((page - 1) * tokensPerPage, page * tokensPerPage)
    .map((token) => [
      html`<a href="${platformPath(org, 'tokens', token.name)}">${token.name}</a>`,
      html`${token.creator.username}`,
      html`${token.mode === 'owner' ? 'all permissions of its creator' : 'its own policies'}`,
      instant(isoMilliseconds(token.createdAt)),
      lastUse(token),
      expiry(token.expiresAt, now),
    ]);
  const { create, kind } = platformTabs.tokens;
  const mayCreate = may(create, ...kind);
  const fields = mayCreate ? await newTokenFields({ tools, visitor, org }, filled, problem) : '';
  const columns = ['Name', 'Created by', 'Permissions', 'Created', 'Last used', 'Expires'];
  const empty = all.length === 0 ? 'No tokens yet.' : 'No tokens match.';
  const next = { hasMore: found.length > page * tokensPerPage, nextCursor: String(page + 1) };
  return platformPage(tools, visitor, {
    org,
    tab: 'tokens',
    title: 'Platform tokens',
    main: html`<p>
        Programs that use the platform API send the secret in the
        <code>Authorization: Api-Token</code> header.
      </p>
      !${news === undefined ? '' : notice('good', news)} !${all.length === 0 ? '' : findForm(query)}
      !${all.length > 0 && mayCreate ? html`<p><a href="#create">Create token</a></p>` : ''}
      !${table({ caption: 'Your tokens and the tokens of members you manage.', columns, rows, empty })}
      !${olderLink(next, query === undefined ? {} : { query })}
      !${hint === undefined ? '' : notice('plain', html`<p>${hint}</p>`)} !${problemNotice(problem)}
      !${
        mayCreate
          ? html`<h2 id="create">Create token</h2>
              !${preview} !${form({ action: platformPath(org, 'tokens'), submit: 'Create token', fields })}`
          : ''
      }`,
  });
}

/** Links to the pages that change a token's permissions. */
async function policyLinks({ tools, visitor, org }: PlatformPlace, ids: readonly number[]): Promise<string> {
  const may = await mayIn(tools, visitor, org);
  const readable = ids.filter((id) => may(platformTabs.policies.read, 'policies', String(id)));
  const asked = { platformKey: org, ids: readable };
  const found =
    readable.length === 0 ? [] : await policies.readPolicies(tools.access, callerOfVisitor(visitor), asked);
  if (found.length === 0) return '';
  return html`<h2>Policies</h2>
    <ul>
      !${found.map(
        ({ id, name }) => html`<li><a href="${platformPath(org, 'policies', String(id))}">${name}</a></li>`,
      )}
    </ul>`;
}

function lastUse({ lastUsedAt }: { readonly lastUsedAt: EpochMicroseconds | null }): string {
  return lastUsedAt === null ? 'never' : instant(isoMilliseconds(lastUsedAt));
}

function expiry(expiresAt: EpochMicroseconds | null, now: EpochMicroseconds): string {
  if (expiresAt === null) return 'never';
  const moment = instant(isoMilliseconds(expiresAt));
  return expiresAt <= now ? html`<strong>expired</strong> !${moment}` : moment;
}

interface OneOptions {
  readonly org: string;
  readonly name: string;
  readonly news?: string;
  /** Notes before continuing. */
  readonly hint?: string;
  readonly problem?: ProblemError;
  readonly filled?: TokenFilled;
}

async function tokenPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, name, news, hint, problem, filled }: OneOptions,
): Promise<PersonalPage> {
  const caller = callerOfVisitor(visitor);
  const token = await platformTokens.readPlatformToken(tools.access, caller, { platformKey: org, name });
  const may = await mayIn(tools, visitor, org);
  const here = platformPath(org, 'tokens', name);
  const place = ['api-tokens', name];
  const fields = await modeFields({ tools, visitor, org }, { place, token, filled });
  const isWritable = may(corePermissions.apiTokenFieldAction('mode'), ...place) || fields.length > 1;
  const { update, delete: remove } = platformTabs.tokens;
  return platformPage(tools, visitor, {
    org,
    tab: 'tokens',
    title: token.name,
    main: html`<dl class="facts">
        <dt>Created by</dt>
        <dd>${token.creator.username}</dd>
        <dt>Mode</dt>
        <dd><code>${token.mode}</code>: ${modes.find(({ value }) => value === token.mode)?.label ?? ''}</dd>
        <dt>Created</dt>
        <dd>!${instant(isoMilliseconds(token.createdAt))}</dd>
        <dt>Last used</dt>
        <dd>!${lastUse(token)}</dd>
        <dt>Expires</dt>
        <dd>!${expiry(token.expiresAt, tools.identity.clock.now())}</dd>
      </dl>
      !${news === undefined ? '' : notice('good', html`<p>${news}</p>`)}
      !${hint === undefined ? '' : notice('plain', html`<p>${hint}</p>`)} !${problemNotice(problem)}
      !${await tokenReport({ tools, visitor, org }, token)}
      !${await policyLinks({ tools, visitor, org }, token.policies)}
      !${may(update, ...place) && isWritable ? form({ action: here, submit: 'Save', fields: fields.join('') }) : ''}
      !${may(remove, ...place) ? removalLink(`${here}/remove`, 'Delete token') : ''}`,
  });
}
