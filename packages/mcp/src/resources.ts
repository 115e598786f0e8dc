import type { McpServer, ReadResourceResult } from '@modelcontextprotocol/server';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';

import type { Complete } from './completions.ts';
import {
  completeCategory,
  completePeriodOf,
  completersOf,
  completeSource,
  completeStory,
} from './completions.ts';
import type { Category } from './news-answers.ts';
import { categories, answerWithHotTopics, answerWithItems, answerWithStory } from './news-answers.ts';
import type { McpNews, NewsAnswer } from './news.ts';
import { NewsRefused } from './news.ts';
import type { ReportKind } from './report-answers.ts';
import { reportDefinitions, reportKinds, reportPeriods, answerWithReport } from './report-answers.ts';

export const markdownType = 'text/markdown';
/** How many editions of each kind are listed; older ones are read by their template. */
const listedMax: Readonly<Record<ReportKind, number>> = { daily: 14, weekly: 8, monthly: 6 };

export const reportUri = (kind: ReportKind, period = 'latest'): string =>
  `daybook://reports/${kind}/${period}`;
export function itemsUri(of: {
  readonly category: string | undefined;
  readonly source: string | undefined;
}): string {
  if (of.source !== undefined) return `daybook://sources/${encodeURIComponent(of.source)}`;
  return of.category === undefined ? 'daybook://latest' : `daybook://categories/${of.category}`;
}
export const storyUri = (publicId: string): string => `daybook://stories/${publicId}`;

/** The documents: lists, editions and stories, as Markdown. */
export function registerResources(server: McpServer, news: McpNews): void {
  server.registerResource(
    'latest',
    'daybook://latest',
    { title: 'Latest selected items', mimeType: markdownType },
    (uri) => read(uri, answerWithItems(news, {})),
  );
  server.registerResource(
    'hot-topics',
    'daybook://hot-topics',
    { title: 'Hot topics', mimeType: markdownType },
    (uri) => read(uri, answerWithHotTopics(news)),
  );
  for (const kind of reportKinds) registerReports(server, news, kind);
  const ofOne = (template: string, variable: string, complete: Complete): ResourceTemplate =>
    new ResourceTemplate(template, {
      list: undefined,
      complete: completersOf(news, variable, complete),
    });
  server.registerResource(
    'category',
    ofOne('daybook://categories/{category}', 'category', completeCategory),
    { title: 'Latest selected items of one category', mimeType: markdownType },
    (uri, { category }) => read(uri, answerWithCategory(news, String(category))),
  );
  server.registerResource(
    'source',
    ofOne('daybook://sources/{source}', 'source', completeSource),
    {
      title: 'Latest items of one source',
      description: 'Source name (percent-encoded) or id.',
      mimeType: markdownType,
    },
    (uri, { source }) => read(uri, answerWithItems(news, { source: decoded(String(source)) })),
  );
  server.registerResource(
    'story',
    ofOne('daybook://stories/{publicId}', 'publicId', completeStory),
    { title: 'One story', description: 'Use an id from another document.', mimeType: markdownType },
    (uri, { publicId }) => read(uri, answerWithStory(news, String(publicId))),
  );
}

async function answerWithCategory(news: McpNews, category: string): Promise<NewsAnswer> {
  if (!categories.some((one) => one === category))
    throw new NewsRefused('not_found', 'Category not found. Use completion to list categories.');
  return answerWithItems(news, { category: category as Category });
}

/** As it is where it cannot be decoded: no source has that name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function registerReports(server: McpServer, news: McpNews, kind: ReportKind): void {
  const { label } = reportDefinitions[kind];
  server.registerResource(
    `latest-${kind}`,
    reportUri(kind),
    { title: `Latest ${kind} report`, mimeType: markdownType },
    (uri) => read(uri, answerWithReport(news, kind, undefined)),
  );
  server.registerResource(
    `${kind}-report`,
    new ResourceTemplate(`daybook://reports/${kind}/{${label}}`, {
      list: async () => ({
        resources: (await reportPeriods(news, kind, listedMax[kind])).map(({ period }) => ({
          uri: reportUri(kind, period),
          name: `${kind}-${period}`,
          title: `${kind} report, ${period}`,
          mimeType: markdownType,
        })),
      }),
      complete: completersOf(news, label, completePeriodOf(kind)),
    }),
    { title: `The ${kind} report of one ${label}`, mimeType: markdownType },
    (uri, variables) => read(uri, answerWithReport(news, kind, String(variables[label]))),
  );
}

/** Any cache may store it for as long as the server's own response is fresh. */
async function read(uri: URL, answering: Promise<NewsAnswer>): Promise<ReadResourceResult> {
  try {
    const { markdown, freshForMs } = await answering;
    return {
      contents: [{ uri: uri.href, mimeType: markdownType, text: markdown }],
      ttlMs: freshForMs,
      cacheScope: 'public',
    };
  } catch (error) {
    if (!(error instanceof NewsRefused)) throw error;
    if (error.code === 'not_found' || error.code === 'invalid_request' || error.code === 'withdrawn')
      throw new ResourceNotFoundError(uri.href, error.message);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  }
}
