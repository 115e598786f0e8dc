import { html } from 'ghtml';

import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import type { Page } from '../../../foundation/pagination/page-envelope.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { notice, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { dialog, opensDialog } from '../components/dialog.ts';
import { ago } from '../components/moments.ts';
import type { EmptyState } from '../components/parts.ts';
import { buttonLink, dangerZone } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import {
  FindQuery,
  NumberParams,
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  findOf,
  mayIn,
  platformPage,
  platformPath,
  platformTabs,
} from './platform-frame.ts';
import { removalPages } from './removal-pages.ts';

type Tab = 'policies' | 'groups';

export interface ListOptions {
  readonly org: string;
  readonly cursor?: string;
  readonly query?: string;
  /** At the address of the dialog. */
  readonly isCreating?: boolean;
  readonly problem?: ProblemError;
}

export interface OneOptions {
  readonly org: string;
  readonly number: number;
  readonly news?: string;
  readonly problem?: ProblemError;
}

interface NamedPages {
  readonly tab: Tab;
  readonly list: { readonly operationId: string; readonly show: ShowPage<ListOptions> };
  readonly one: {
    readonly operationId: string;
    readonly show: ShowPage<OneOptions>;
  };
  readonly read: (
    caller: ReturnType<typeof callerOfVisitor>,
    asked: { readonly platformKey: string; readonly id: number },
  ) => Promise<{ readonly name: string }>;
  readonly removal: {
    readonly operationId: string;
    /** HTML. */
    readonly consequences: () => string;
    readonly remove: (change: ReturnType<typeof changeOf> & { readonly id: number }) => Promise<void>;
  };
}

type ShowPage<Options> = (visitor: Visitor, options: Options) => Promise<PersonalPage>;

export const problems = [forbidden, notFound];
export const saved = (): string => say('Saved. Changes take effect within a second.');

const textsOf = {
  policies: { remove: 'Delete policy', question: 'Delete policy {name}?', lead: 'Policy {id}, changed' },
  groups: { remove: 'Delete group', question: 'Delete group {name}?', lead: 'Group {id}, changed' },
} as const;

/** The list, the detail page and its deletion; their forms differ too much to be shared. */
export function namedResourcePages(tools: PlatformTools, pages: NamedPages): readonly RouteDeclaration[] {
  const { tab, list, one } = pages;
  return [
    defineMemberPage(tools, {
      path: `/platform/{org}/${tab}`,
      operationId: list.operationId,
      params: OrganizationParams,
      query: FindQuery,
      problems: [...problems, invalidCursor],
      show: async ({ visitor, params, query }) => list.show(visitor, { ...params, ...findOf(query) }),
    }),
    defineMemberPage(tools, {
      path: `/platform/{org}/${tab}/{number}`,
      operationId: one.operationId,
      params: NumberParams,
      problems,
      show: async ({ visitor, params }) => one.show(visitor, params),
    }),
    ...removalOf(tools, pages),
  ];
}

function removalOf(
  tools: PlatformTools,
  { tab, read, removal: { operationId, consequences, remove } }: NamedPages,
): readonly RouteDeclaration[] {
  return removalPages(tools, {
    path: `/platform/{org}/${tab}/{number}/remove`,
    operationId,
    params: NumberParams,
    problems: [...problems, conflict],
    describe: async ({ visitor, params: { org, number: id } }) => {
      const { name } = await read(callerOfVisitor(visitor), { platformKey: org, id });
      const here = platformPath(org, tab, String(id));
      return {
        org,
        tab,
        title: say(textsOf[tab].question, { name }),
        consequences: consequences(),
        submit: say('Delete {name}', { name }),
        action: `${here}/remove`,
        back: here,
      };
    },
    remove: async ({ visitor, params: { org, number: id }, client }) => {
      await remove({ ...changeOf(visitor, org, client), id });
      return { to: platformPath(org, tab) };
    },
  });
}

/** The query of a list, with a search by name. */
export function listQuery({ org, cursor, query }: ListOptions) {
  return {
    platform_key: org,
    ...(cursor !== undefined && { cursor }),
    ...(query !== undefined && { query }),
  };
}

/** A list, with a dialog that creates one. */
export async function namedListPage<Row extends { readonly name: string }>(
  { tools, visitor, org }: PlatformPlace,
  { query, cursor, problem, isCreating = false }: ListOptions,
  list: {
    readonly tab: Tab;
    readonly lead: string;
    readonly create: string;
    readonly columns: readonly Column<Row>[];
    readonly found: Page<Row>;
    readonly empty: EmptyState;
    readonly noneFound: string;
    /** HTML: the form that creates one; without it, the form has a page of its own. */
    readonly creation?: () => Promise<string>;
  },
): Promise<PersonalPage> {
  const { tab, lead, create: label, columns, found } = list;
  const { create, kind } = platformTabs[tab];
  const words = wordsOf(visitor.language).console;
  const here = platformPath(org, tab);
  const mayCreate = (await mayIn(tools, visitor, org))(create, ...kind);
  const creation = mayCreate ? await list.creation?.() : undefined;
  const button = buttonLink({
    href: here + opensDialog,
    label,
    icon: 'plus',
    kind: 'primary',
    ...(creation !== undefined && { dialog: 'create' }),
  });
  const actions = mayCreate ? button : '';
  const table = dataTable(visitor.language, {
    caption: say('Newest first.'),
    rows: found.data,
    columns,
    search: { label: words.groupsPage.find, query },
    pagination: {
      ...found.pagination,
      ...(query !== undefined && { query: { query } }),
      isFirst: cursor === undefined,
    },
    empty:
      query === undefined ? { ...list.empty, action: actions } : { icon: 'search', title: list.noneFound },
  });
  const form =
    creation === undefined
      ? ''
      : dialog(visitor.language, {
          id: 'create',
          title: label,
          content: html`!${problemNotice(problem)} !${creation}`,
          isOpen: isCreating || problem !== undefined,
          closeHref: here,
        });
  const main = html`!${table} !${form}`;
  return platformPage(tools, visitor, { org, tab, title: words.sections[tab], lead, actions, main });
}

export async function namedPage(
  { tools, visitor, org }: PlatformPlace,
  { news, hint, problem }: Pick<OneOptions, 'news' | 'problem'> & { readonly hint?: string },
  one: {
    readonly tab: Tab;
    readonly removalText: string;
    readonly found: { readonly id: number; readonly name: string; readonly updatedAt: EpochMicroseconds };
    /** HTML: the details, or the form that changes them. */
    readonly content: (mayChange: boolean) => Promise<string>;
  },
): Promise<PersonalPage> {
  const { tab, found } = one;
  const texts = textsOf[tab];
  const id = String(found.id);
  const may = await mayIn(tools, visitor, org);
  const { update, delete: remove } = platformTabs[tab];
  const removal = {
    title: say(texts.remove),
    text: one.removalText,
    end: buttonLink({
      href: `${platformPath(org, tab, id)}/remove`,
      label: say(texts.remove),
      kind: 'danger',
    }),
  };
  const now = tools.identity.clock.now();
  const lead = html`${say(texts.lead, { id })} !${ago(found.updatedAt, now, visitor.language)}`;
  const main = html`!${news === undefined ? '' : notice('good', html`<p>${news}</p>`)}
  !${hint === undefined ? '' : notice('plain', html`<p>${hint}</p>`)} !${problemNotice(problem)}
  !${await one.content(may(update, tab, id))}
  !${dangerZone(visitor.language, may(remove, tab, id) ? [removal] : [])}`;
  return platformPage(tools, visitor, { org, tab, title: found.name, lead, main });
}
