import type { McpServer, ReadResourceResult } from '@modelcontextprotocol/server';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';

import type { McpNews, Told } from './news.ts';
import { NewsRefused } from './news.ts';
import { tellHotTopics, tellItems, tellStory } from './told-news.ts';
import type { ReportKind } from './told-report.ts';
import { reportDefinitions, reportKinds, reportPeriods, tellReport } from './told-report.ts';

export const markdownType = 'text/markdown';
/** How many reports of each kind stand in the list; older ones are read by their template. */
const listedMax: Readonly<Record<ReportKind, number>> = { daily: 14, weekly: 8, monthly: 6 };
/** How many are looked through to complete a label; the API lists at least as many. */
const completedMax: Readonly<Record<ReportKind, number>> = { daily: 100, weekly: 60, monthly: 60 };

export const latestReportUri = (kind: ReportKind): string => `daybook://reports/${kind}/latest`;
export const storyUri = (publicId: string): string => `daybook://stories/${publicId}`;

/** The documents: lists, reports and stories, as Markdown. */
export function registerResources(server: McpServer, news: McpNews): void {
  server.registerResource(
    'latest',
    'daybook://latest',
    { title: 'Latest selected items', mimeType: markdownType },
    (uri) => read(uri, tellItems(news, {})),
  );
  server.registerResource(
    'hot-topics',
    'daybook://hot-topics',
    { title: 'Hot topics', mimeType: markdownType },
    (uri) => read(uri, tellHotTopics(news)),
  );
  for (const kind of reportKinds) registerReports(server, news, kind);
  server.registerResource(
    'story',
    new ResourceTemplate('daybook://stories/{publicId}', {
      list: undefined,
      complete: { publicId: async (typed) => startingWith(typed, await hotStories(news)) },
    }),
    { title: 'One story', description: 'Ids stand in the other documents.', mimeType: markdownType },
    (uri, { publicId }) => read(uri, tellStory(news, String(publicId))),
  );
}

function registerReports(server: McpServer, news: McpNews, kind: ReportKind): void {
  const { label } = reportDefinitions[kind];
  server.registerResource(
    `latest-${kind}`,
    latestReportUri(kind),
    { title: `Latest ${kind} report`, mimeType: markdownType },
    (uri) => read(uri, tellReport(news, kind, undefined)),
  );
  const periods = async (limit: number): Promise<readonly string[]> =>
    (await reportPeriods(news, kind, limit)).map(({ period }) => period);
  server.registerResource(
    `${kind}-report`,
    new ResourceTemplate(`daybook://reports/${kind}/{${label}}`, {
      list: async () => ({
        resources: (await periods(listedMax[kind])).map((period) => ({
          uri: `daybook://reports/${kind}/${period}`,
          name: `${kind}-${period}`,
          title: `${kind} report, ${period}`,
          mimeType: markdownType,
        })),
      }),
      complete: { [label]: async (typed) => startingWith(typed, await periods(completedMax[kind])) },
    }),
    { title: `The ${kind} report of one ${label}`, mimeType: markdownType },
    (uri, variables) => read(uri, tellReport(news, kind, String(variables[label]))),
  );
}

function startingWith(typed: string, values: readonly string[]): string[] {
  return values.filter((value) => value.startsWith(typed));
}

/** Stories that somebody would ask for now. */
async function hotStories({ client }: McpNews): Promise<readonly string[]> {
  const answer = await client.listHotTopics();
  if (!answer.ok) return [];
  return answer.data.items.flatMap(({ links: { story } }) =>
    story === undefined ? [] : [story.slice(story.lastIndexOf('/') + 1)],
  );
}

/** Anyone may keep it for as long as the server's own answer is fresh. */
async function read(uri: URL, telling: Promise<Told>): Promise<ReadResourceResult> {
  try {
    const { markdown, freshForMs } = await telling;
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
