import { writeHotTopics, writeReport, writeStory, writeItems } from '@daybook/mcp/markdown';
import type { Static, TObject } from 'typebox';
import { Type } from 'typebox';

import type { Resource } from '../../foundation/cache/representation-cache.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration, RouteInput } from '../../foundation/http/route.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import { recordCacheTags } from '../../record/index.ts';
import { editionDefinitions } from '../editions/edition-kinds.ts';
import type { EditionDefinition } from '../editions/edition-kinds.ts';
import type { EditionDeps, EditionForm } from '../editions/edition-representation.ts';
import { editionResource } from '../editions/edition-representation.ts';
import type { Freshness } from '../freshness.ts';
import type { HotTopicsDeps } from '../hot-topics/hot-topics.ts';
import { hotTopicsCacheTags, readHotTopics } from '../hot-topics/hot-topics.ts';
import { latestSelected, readItemList } from '../items/item-list.ts';
import { readItemsQuery } from '../items/items-query.ts';
import type { ItemsDeps } from '../items/items-representation.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { itemLanguageQuery, languageQuery, searchQuery } from '../reader-language-query.ts';
import type { StoryDeps, StoryForm } from '../stories/story-representation.ts';
import { storyResource } from '../stories/story-representation.ts';
import { StoryParamsSchema } from '../stories/story-schema.ts';
import { writeGuide, writeLlmsText } from './guide-markdown.ts';
import { markdownBody, markdownContentType } from './markdown-body.ts';

export type MarkdownDeps = ItemsDeps & HotTopicsDeps & StoryDeps & EditionDeps;

const storyForm: StoryForm = {
  name: 'story.md',
  path: (publicId) => `/agent/stories/${publicId}.md`,
  write: (story) => markdownBody(writeStory(story)),
};
const reportForm: EditionForm = {
  name: 'report.md',
  write: (definition, report) => markdownBody(writeReport(definition.kind, report)),
};

interface MarkdownRoute<Params, Query> {
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly redirects?: boolean;
  readonly problems?: readonly ProblemDefinition[];
  readonly freshness: Freshness;
  readonly resource: (input: RouteInput<Params, Query, undefined>) => Resource;
}

function markdownRoute<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
>(tools: NewsRouteTools, { name, ...declared }: MarkdownRoute<Params, Query>): RouteDeclaration {
  return defineNewsRoute<Params, Query>(tools, {
    ...declared,
    operationId: `getMarkdown${name}`,
    tag: 'agents',
    ok: {
      description: 'Markdown. `<untrusted-data>` markers enclose third-party text.',
      schema: Type.String(),
      example: '# Daybook for agents\n',
      contentType: markdownContentType,
    },
  });
}

export function markdownRoutes(tools: NewsRouteTools, deps: MarkdownDeps): readonly RouteDeclaration[] {
  return [
    fixedRoute(tools, 'Guide', '/agent/index.md', 'Get the guide for agents.', () => writeGuide(deps)),
    fixedRoute(tools, 'Summary', '/llms.txt', 'Get the overview for language models.', () =>
      writeLlmsText(deps),
    ),
    markdownRoute(tools, {
      path: '/agent/latest.md',
      name: 'Latest',
      summary: 'List the newest selected items.',
      query: itemLanguageQuery,
      freshness: 'minute',
      resource: ({ query }) => latestItemsResource(deps, query),
    }),
    markdownRoute(tools, {
      path: '/agent/search.md',
      name: 'Search',
      summary: 'Search items of the last 7 days that contain every word.',
      query: searchQuery,
      freshness: 'minute',
      resource: ({ query }) => searchItemsResource(deps, query),
    }),
    markdownRoute(tools, {
      path: '/agent/hot.md',
      name: 'HotTopics',
      summary: 'Get the latest Top 10.',
      freshness: 'minute',
      query: languageQuery,
      resource: ({ query: { language = deps.language } }) => ({
        key: `hot.md ${language}`,
        cacheTags: hotTopicsCacheTags,
        build: async () => markdownBody(writeHotTopics(await readHotTopics(deps, language))),
      }),
    }),
    markdownRoute(tools, {
      path: '/agent/stories/{publicId}.md',
      name: 'Story',
      summary: 'Get a story.',
      params: StoryParamsSchema,
      query: languageQuery,
      redirects: true,
      problems: [notFound],
      freshness: 'minute',
      resource: ({ params, query }) => storyResource(deps, { ...params, ...query }, storyForm),
    }),
    ...editionDefinitions.flatMap((definition) => reportMarkdownRoutes(tools, deps, definition)),
  ];
}

function fixedRoute(
  tools: NewsRouteTools,
  name: string,
  path: string,
  summary: string,
  write: () => string,
): RouteDeclaration {
  return markdownRoute(tools, {
    path,
    name,
    summary,
    freshness: 'five-minutes',
    resource: () => ({ key: path, cacheTags: [], build: async () => markdownBody(write()) }),
  });
}

function reportMarkdownRoutes(
  tools: NewsRouteTools,
  deps: EditionDeps,
  definition: EditionDefinition,
): readonly RouteDeclaration[] {
  const { kind, label } = definition;
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return [
    markdownRoute(tools, {
      path: `/agent/${kind}.md`,
      name: `Latest${name}`,
      summary: `Get the latest ${kind} report.`,
      query: languageQuery,
      problems: [notFound],
      freshness: definition.latestFreshness,
      resource: ({ query }) => editionResource(deps, definition, query, reportForm),
    }),
    markdownRoute(tools, {
      path: `/agent/${kind}/{${label}}.md`,
      name,
      summary: `Get the ${kind} report of a ${label}.`,
      params: Type.Object({ [label]: definition.labelSchema }),
      query: languageQuery,
      problems: [notFound],
      freshness: 'five-minutes',
      resource: ({ params, query }) =>
        editionResource(deps, definition, { label: params[label] ?? '', ...query }, reportForm),
    }),
  ];
}

/** Enough for an answer, and short enough for a model. */
const latestMax = 30;
const foundMax = 20;

function latestItemsResource(deps: ItemsDeps, { language }: Static<typeof itemLanguageQuery>): Resource {
  const query = { ...latestSelected, language: language ?? null };
  return {
    key: `latest.md ${query.language}`,
    cacheTags: [recordCacheTags.items],
    build: async () =>
      markdownBody(writeItems('Latest selected items', await readItemList(deps, query, latestMax))),
  };
}

function searchItemsResource(deps: ItemsDeps, wanted: Static<typeof searchQuery>): Resource {
  const query = readItemsQuery({ mode: 'all', window: '7d', by: 'timeline', limit: foundMax, ...wanted });
  return {
    key: `search.md ${query.language} ${query.q}`,
    cacheTags: [recordCacheTags.items],
    build: async () =>
      markdownBody(writeItems('Items found in the last 7 days', await readItemList(deps, query, foundMax))),
  };
}
