import type { JsonSchemaType, McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { fromJsonSchema } from '@modelcontextprotocol/server';

import { newsSchemas } from './generated/news-schemas.ts';
import type { ItemsQuery, Wording } from './news-answers.ts';
import {
  categories,
  answerWithChanges,
  answerWithHotTopics,
  answerWithItems,
  answerWithStory,
  languages,
} from './news-answers.ts';
import type { McpNews, NewsAnswer } from './news.ts';
import { NewsRefused } from './news.ts';
import type { ReportKind } from './report-answers.ts';
import { reportKinds, answerWithReport } from './report-answers.ts';

type Properties = Readonly<Record<string, object>>;

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Properties;
  readonly requiredInput?: readonly string[];
  readonly output: Properties;
  readonly answer: (news: McpNews, given: never) => Promise<NewsAnswer>;
}

const ref = (name: keyof typeof newsSchemas): object => ({ $ref: `#/$defs/${name}` });
const list = (name: keyof typeof newsSchemas): object => ({ type: 'array', items: ref(name) });
const text = { type: 'string' };

const paging: Properties = {
  category: { type: 'string', enum: categories, description: 'Only items of this category.' },
  limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
  cursor: {
    type: 'string',
    maxLength: 1024,
    description: 'nextCursor of the previous page; other arguments must be unchanged.',
  },
};
const wording: Properties = {
  language: { type: 'string', enum: languages, description: 'Language of titles, digests and headlines.' },
};
const itemsOutput: Properties = {
  items: list('Item'),
  nextCursor: { type: ['string', 'null'], description: 'null on the last page.' },
  mirroredAt: {
    type: ['string', 'null'],
    description: 'When the local mirror was last verified; null if the server answered.',
  },
};
const reportOutput: Properties = {
  kind: { type: 'string', enum: reportKinds },
  period: { type: 'string', description: 'The date, ISO week or month, in Asia/Shanghai.' },
  periodStart: text,
  periodEnd: text,
  generatedAt: text,
  revision: { type: 'integer', description: 'Incremented by each correction.' },
  headline: text,
  overview: text,
  language: { type: 'string', description: 'Of headline and overview.' },
  links: { type: 'object', required: ['report'], properties: { report: text } },
  sections: list('ReportSection'),
  flashes: list('ReportFlash'),
  corrections: list('Correction'),
};

const tools: readonly Tool[] = [
  {
    name: 'search',
    title: 'Search the news',
    description:
      'Search items of the last 7 days whose title, summary or source name contains every word, newest first. With a local mirror, searches all selected items. Use it for specific questions.',
    input: {
      q: { type: 'string', minLength: 2, maxLength: 200, description: 'Words, in any language.' },
      ...paging,
    },
    requiredInput: ['q'],
    output: itemsOutput,
    answer: (news, query: ItemsQuery) => answerWithItems(news, query),
  },
  {
    name: 'latest',
    title: 'Latest news',
    description: 'List the newest selected items. Use it for "what happened just now".',
    input: paging,
    output: itemsOutput,
    answer: (news, query: ItemsQuery) => answerWithItems(news, query),
  },
  {
    name: 'hot_topics',
    title: 'Hot topics',
    description:
      'List up to ten stories that most independent sources are reporting, ranked, with story ids in links.story. Use it for "what matters now".',
    input: wording,
    output: { rankedAt: { type: ['string', 'null'] }, items: list('HotTopic') },
    answer: (news, given: Wording) => answerWithHotTopics(news, given),
  },
  {
    name: 'story',
    title: 'One story',
    description:
      'Get a story with its digest, contradictions between sources, and all reports. Use it for details and to compare sources.',
    input: {
      id: {
        type: 'string',
        minLength: 1,
        maxLength: 300,
        description: 'The id of a story, or its URL from links.story of an item.',
      },
      ...wording,
    },
    requiredInput: ['id'],
    output: { story: ref('Story') },
    answer: (news, { id, ...given }: { readonly id: string } & Wording) => answerWithStory(news, id, given),
  },
  {
    name: 'report',
    title: 'Daily, weekly or monthly report',
    description: 'Get the report of a period, by default the latest. Use it for "what is new" over a period.',
    input: {
      kind: { type: 'string', enum: reportKinds },
      period: {
        type: 'string',
        maxLength: 10,
        description: 'YYYY-MM-DD for daily, YYYY-Www for weekly, YYYY-MM for monthly; in Asia/Shanghai.',
      },
      ...wording,
    },
    requiredInput: ['kind'],
    output: reportOutput,
    answer: (
      news,
      { kind, period, ...given }: { readonly kind: ReportKind; readonly period?: string } & Wording,
    ) => answerWithReport(news, kind, period, given),
  },
  {
    name: 'changes_since',
    title: 'Changes since a cursor',
    description:
      'List items added to, changed in or removed from the selected set since a cursor. Call it once without a cursor, save the returned cursor, and pass it in the next call.',
    input: {
      cursor: { type: 'string', maxLength: 1024, description: 'The cursor of the previous response.' },
    },
    output: {
      cursor: text,
      hasMore: { type: 'boolean', description: 'true if more changes follow; call again with cursor.' },
      changes: { type: 'array', items: { anyOf: [ref('Upsert'), ref('Remove')] } },
    },
    answer: (news, { cursor }: { readonly cursor?: string }) => answerWithChanges(news, cursor),
  },
];

/** Compiles the schemas once; the returned function registers the tools with any number of servers. */
export function compileTools(): (server: McpServer, news: McpNews) => void {
  const compiled = tools.map(({ name, title, description, input, requiredInput = [], output, answer }) => ({
    name,
    config: {
      title,
      description,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      inputSchema: compiledObject(input, requiredInput, false),
      outputSchema: compiledObject(output, Object.keys(output), true),
    },
    answer: answer as (news: McpNews, given: unknown) => Promise<NewsAnswer>,
  }));
  return (server, news) => {
    for (const { name, config, answer } of compiled) {
      server.registerTool(name, config, async (given: unknown) => {
        try {
          const { data, markdown } = await answer(news, given);
          return { content: [{ type: 'text', text: markdown }], structuredContent: data };
        } catch (error) {
          if (!(error instanceof NewsRefused)) throw error;
          return { content: [{ type: 'text', text: error.message }], isError: true };
        }
      });
    }
  };
}

/** Clients ignore properties beyond the schema of a response; an unknown argument is an error. */
function compiledObject(
  properties: Properties,
  required: readonly string[],
  additionalProperties: boolean,
): StandardSchemaWithJSON {
  const definitions = definitionsOf(properties);
  const schema = {
    type: 'object',
    properties,
    required,
    additionalProperties,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
  return fromJsonSchema(schema as unknown as JsonSchemaType);
}

/** All that is referred to, directly or through others. */
function definitionsOf(value: unknown, found: Record<string, unknown> = {}): Record<string, unknown> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/\$defs\/(\w+)"/g)) {
    if (name in found) continue;
    found[name] = newsSchemas[name as keyof typeof newsSchemas];
    definitionsOf(found[name], found);
  }
  return found;
}
