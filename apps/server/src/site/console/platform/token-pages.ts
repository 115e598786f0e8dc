import { html } from 'ghtml';
import { Type } from 'typebox';

import { corePermissions, platformTokens, policies } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { dayMicroseconds, isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { form, notice, problemNotice, shownOnce } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { dialog, opensDialog } from '../components/dialog.ts';
import { ago } from '../components/moments.ts';
import { badge, beside, buttonLink, card, dangerZone, facts, livePart, rows } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import {
  FindQuery,
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  findOf,
  mayIn,
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
import { removalPages } from './removal-pages.ts';
import type { NewTokenFilled, TokenFilled } from './token-fields.ts';
import { curlLine, modeFields, modes, newTokenFields, tokenReport } from './token-fields.ts';
import { createTokenWithJobs, previewOfToken, requireChoice } from './token-jobs.ts';

const Mode = Type.Enum(['token_policies', 'owner']);
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
        return tokensPage(tools, visitor, { org, filled: body, hint: notSavedYet() });
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
      const news = html`<p>
          !${sayHtml('The token {strong} is active.', { strong: html`<strong>${token.name}</strong>` })}
        </p>
        !${shownOnce(say('Secret'), secret)} !${await curlLine(tools, token, org, secret)}
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
        return tokenPage(tools, visitor, { ...params, filled: body, hint: notSavedYet() });
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
        news: say('Saved. Changes take effect within a second.'),
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
        title: say('Delete token {name}?', { name }),
        consequences: html`<p>
          ${say('Programs that use this token lose access within a second. The token was created by {username}. A policy that was created with it is also deleted, unless a group or another token uses it.', { username: token.creator.username })}
        </p>`,
        submit: say('Delete {name}', { name }),
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
  /** At the address of the dialog. */
  readonly isCreating?: boolean;
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
  { org, cursor = '1', query, isCreating = false, news, preview, hint, problem, filled = {} }: ListOptions,
): Promise<PersonalPage> {
  const all = await platformTokens.listPlatformTokens(tools.access, callerOfVisitor(visitor), org);
  const may = await mayIn(tools, visitor, org);
  const sought = (query ?? '').toLowerCase();
  const found = all.filter(({ name }) => name.toLowerCase().includes(sought));
  const page = /^[1-9][0-9]{0,3}$/.test(cursor) ? Number(cursor) : 1;
  const { create, kind } = platformTabs.tokens;
  const place = { tools, visitor, org };
  const fields = may(create, ...kind) ? await newTokenFields(place, filled, problem) : null;
  const words = wordsOf(visitor.language).console;
  const here = platformPath(org, 'tokens');
  const label = words.tokensPage.create;
  const actions =
    fields === null
      ? ''
      : buttonLink({ href: here + opensDialog, label, icon: 'plus', kind: 'primary', dialog: 'create' });
  const list = dataTable(visitor.language, {
    caption: say('Your tokens and the tokens of members you manage.'),
    rows: found.slice((page - 1) * tokensPerPage, page * tokensPerPage),
    columns: tokenColumns(place),
    search: { label: words.groupsPage.find, query },
    pagination: {
      hasMore: found.length > page * tokensPerPage,
      nextCursor: String(page + 1),
      ...(query !== undefined && { query: { query } }),
      isFirst: page === 1,
    },
    empty:
      all.length === 0
        ? { icon: 'key', title: words.tokensPage.none, text: words.tokensPage.noneText, action: actions }
        : { icon: 'search', title: words.tokensPage.noneFound },
  });
  const creation =
    fields === null
      ? ''
      : dialog(visitor.language, {
          id: 'create',
          title: label,
          content: html`!${hint === undefined ? '' : notice('plain', html`<p>${hint}</p>`)}
          !${problemNotice(problem)} !${form({ action: here, submit: say('Create token'), fields })}`,
          aside:
            preview ??
            livePart(html`<p class="hint">${say('The permissions that you choose are listed here.')}</p>`),
          isOpen: isCreating || [hint, problem, preview].some((one) => one !== undefined),
          closeHref: here,
        });
  return platformPage(tools, visitor, {
    org,
    tab: 'tokens',
    title: words.sections.tokens,
    lead: html`${words.tokensPage.lead}`,
    actions,
    main: html`!${news === undefined ? '' : notice('good', news)} !${list} !${creation}`,
  });
}

type ListedToken = Awaited<ReturnType<typeof platformTokens.listPlatformTokens>>[number];
/** A token that ends within this time is marked. */
const soonMicroseconds = 7n * dayMicroseconds;

function tokenColumns({ tools, visitor, org }: PlatformPlace): readonly Column<ListedToken>[] {
  const { language } = visitor;
  const { columns, tokensPage: words } = wordsOf(language).console;
  const now = tools.identity.clock.now();
  const state = ({ expiresAt, lastUsedAt }: ListedToken): string => {
    if (expiresAt !== null && expiresAt <= now) return badge('bad', words.expired);
    if (expiresAt !== null && expiresAt - now < soonMicroseconds) return badge('warn', words.soon);
    return lastUsedAt === null ? badge('off', words.unused) : badge('good', words.active);
  };
  return [
    {
      label: columns.name,
      place: 'main',
      cell: ({ name }) => html`<a class="name" href="${platformPath(org, 'tokens', name)}">${name}</a>`,
    },
    { label: columns.createdBy, place: 'low', cell: ({ creator }) => html`${creator.username}` },
    {
      label: columns.permissions,
      place: 'also',
      cell: ({ mode }) => html`${mode === 'owner' ? words.ofCreator : words.own}`,
    },
    { label: columns.created, place: 'low', cell: ({ createdAt }) => ago(createdAt, now, language) },
    { label: columns.lastUsed, place: 'low', cell: ({ lastUsedAt }) => ago(lastUsedAt, now, language) },
    { label: columns.expires, place: 'also', cell: ({ expiresAt }) => ago(expiresAt, now, language) },
    { label: columns.status, place: 'state', cell: state },
  ];
}

/** Links to the pages that change a token's permissions. */
async function policyLinks({ tools, visitor, org }: PlatformPlace, ids: readonly number[]): Promise<string> {
  const may = await mayIn(tools, visitor, org);
  const readable = ids.filter((id) => may(platformTabs.policies.read, 'policies', String(id)));
  const asked = { platformKey: org, ids: readable };
  const found =
    readable.length === 0 ? [] : await policies.readPolicies(tools.access, callerOfVisitor(visitor), asked);
  if (found.length === 0) return '';
  const links = found.map(({ id, name }) => ({
    icon: 'shield' as const,
    title: name,
    href: platformPath(org, 'policies', String(id)),
  }));
  return card({ title: say('Policies'), content: rows(links) });
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
  const now = tools.identity.clock.now();
  const removal = {
    title: say('Delete token'),
    text: say('Programs that use this token lose access within a second.'),
    end: buttonLink({ href: `${here}/remove`, label: say('Delete token'), kind: 'danger' }),
  };
  return platformPage(tools, visitor, {
    org,
    tab: 'tokens',
    title: token.name,
    lead: html`<code>${token.mode}</code>: ${say(modes[token.mode])}`,
    main: html`!${news === undefined ? '' : notice('good', html`<p>${news}</p>`)}
    !${hint === undefined ? '' : notice('plain', html`<p>${hint}</p>`)} !${problemNotice(problem)}
    !${beside(
      html`<section class="card">
          <div class="in">
            !${facts([
              [say('Created by'), html`${token.creator.username}`],
              [say('Created'), ago(token.createdAt, now, visitor.language)],
              [say('Last used'), ago(token.lastUsedAt, now, visitor.language)],
              [
                say('Expires'),
                html`!${ago(token.expiresAt, now, visitor.language)}
                !${token.expiresAt !== null && token.expiresAt <= now ? badge('bad', say('expired')) : ''}`,
              ],
            ])}
          </div>
        </section>
        !${await policyLinks({ tools, visitor, org }, token.policies)}
        !${may(update, ...place) && isWritable ? card({ title: say('Permissions'), isPadded: true, content: form({ action: here, submit: say('Save'), fields: fields.join('') }) }) : ''}`,
      await tokenReport({ tools, visitor, org }, token),
    )}
    !${dangerZone(visitor.language, may(remove, ...place) ? [removal] : [])}`,
  });
}
