import { html } from 'ghtml';

import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { Page } from '../../../foundation/pagination/page-envelope.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { instant, notice, problemNotice, table } from '../../shell/form-controls.ts';
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
  findForm,
  findOf,
  mayIn,
  olderLink,
  platformPage,
  platformPath,
  platformTabs,
} from './platform-frame.ts';
import { removalLink, removalPages } from './removal-pages.ts';

type Tab = 'policies' | 'groups';

export interface ListOptions {
  readonly org: string;
  readonly cursor?: string;
  readonly query?: string;
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
  readonly noun: string;
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
    readonly consequences: string;
    readonly remove: (change: ReturnType<typeof changeOf> & { readonly id: number }) => Promise<void>;
  };
}

type ShowPage<Options> = (visitor: Visitor, options: Options) => Promise<PersonalPage>;

export const problems = [forbidden, notFound];
export const saved = 'Saved. Changes take effect within a second.';

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
  { tab, noun, read, removal: { operationId, consequences, remove } }: NamedPages,
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
        title: `Delete ${noun} ${name}?`,
        consequences,
        submit: `Delete ${name}`,
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

export async function namedListPage(
  { tools, visitor, org }: PlatformPlace,
  { query: sought, problem }: ListOptions,
  list: {
    readonly tab: Tab;
    /** HTML. */
    readonly intro: string;
    readonly columns: readonly string[];
    readonly found: Page<readonly string[]>;
    readonly noneYet: string;
    readonly noneFound: string;
    /** HTML: the forms that create one. */
    readonly creation: () => Promise<string>;
  },
): Promise<PersonalPage> {
  const { tab, intro, columns, found } = list;
  const { label: title, create, kind } = platformTabs[tab];
  const may = await mayIn(tools, visitor, org);
  const rows = found.data;
  const empty = sought === undefined ? list.noneYet : list.noneFound;
  const main = html`!${intro} !${findForm(sought)}
  !${table({ caption: 'Newest first.', columns, rows, empty })}
  !${olderLink(found.pagination, sought === undefined ? {} : { query: sought })} !${problemNotice(problem)}
  !${may(create, ...kind) ? await list.creation() : ''}`;
  return platformPage(tools, visitor, { org, tab, title, main });
}

export async function namedPage(
  { tools, visitor, org }: PlatformPlace,
  { news, hint, problem }: Pick<OneOptions, 'news' | 'problem'> & { readonly hint?: string },
  one: {
    readonly tab: Tab;
    readonly noun: string;
    readonly found: { readonly id: number; readonly name: string; readonly updatedAt: EpochMicroseconds };
    /** HTML: the details, or the form that changes them. */
    readonly content: (mayChange: boolean) => Promise<string>;
  },
): Promise<PersonalPage> {
  const { tab, noun, found } = one;
  const id = String(found.id);
  const may = await mayIn(tools, visitor, org);
  const { update, delete: remove } = platformTabs[tab];
  const removal = may(remove, tab, id)
    ? removalLink(`${platformPath(org, tab, id)}/remove`, `Delete ${noun}`)
    : '';
  const main = html`<p class="hint">
      ${noun.charAt(0).toUpperCase() + noun.slice(1)} ${id}, changed
      !${instant(isoMilliseconds(found.updatedAt))}
    </p>
    !${news === undefined ? '' : notice('good', html`<p>${news}</p>`)}
    !${hint === undefined ? '' : notice('plain', html`<p>${hint}</p>`)} !${problemNotice(problem)}
    !${await one.content(may(update, tab, id))} !${removal}`;
  return platformPage(tools, visitor, { org, tab, title: found.name, main });
}
