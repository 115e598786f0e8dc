import type { AgentQuestion } from '@daybook/client/platform';

import { answerWithAnswer } from './agent-answers.ts';
import type { CorrectionsQuery } from './list-answers.ts';
import { answerWithCorrections, answerWithSources } from './list-answers.ts';
import type { ArchiveQuery, ItemsQuery, Wording } from './news-answers.ts';
import {
  answerWithArchive,
  answerWithChanges,
  answerWithChangesSince,
  answerWithHotTopics,
  answerWithItem,
  answerWithItems,
  answerWithStory,
  categories,
  languages,
} from './news-answers.ts';
import { NewsRefused } from './news.ts';
import type { ReportKind } from './report-answers.ts';
import { answerWithReport, answerWithReports, reportKinds } from './report-answers.ts';
import type { Properties, Tool } from './tool.ts';

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
/** The names of the fields; their types are described in the README, to spend few tokens. */
const list = (...fields: readonly string[]): object => ({ type: 'array', items: { required: fields } });
const entryFields = ['title', 'source', 'links'];
const itemFields = ['id', ...entryFields];
const untrustedOf = (path: string): readonly string[] =>
  ['title', 'summary', 'source.name', 'links.original'].map((field) => `${path}.${field}`);

const cursor: Properties = {
  cursor: { type: 'string', maxLength: 1024, description: 'nextCursor, other arguments unchanged' },
};
const paging: Properties = {
  category: { type: 'string', enum: categories },
  limit: { type: 'integer', minimum: 1, maximum: 50 },
  ...cursor,
};
const wording: Properties = { language: { type: 'string', enum: languages } };
const id: Properties = {
  id: { type: 'string', minLength: 1, maxLength: 300, description: 'id or page URL' },
};
const itemsOutput: Properties = {
  items: list(...itemFields),
  nextCursor: textOrNull,
  mirroredAt: textOrNull,
};

interface ReportQuery extends Wording {
  readonly kind: ReportKind;
  readonly period?: string;
}

interface ReportsQuery extends Wording {
  readonly kind: ReportKind;
  readonly limit?: number;
}

interface ChangesQuery extends Wording {
  readonly cursor?: string;
  readonly since?: string;
}

export const tools: readonly Tool[] = [
  {
    name: 'search',
    description:
      'Items of the last 7 days (with a local mirror: all selected items) whose title, summary or source contains every word, newest first. For specific questions.',
    input: { q: { type: 'string', minLength: 2, maxLength: 200 }, ...paging, ...wording },
    requiredInput: ['q'],
    output: itemsOutput,
    untrusted: untrustedOf('items'),
    answer: (news, query: ItemsQuery) => answerWithItems(news, query),
  },
  {
    name: 'latest',
    description: 'Newest selected items. For "what happened just now".',
    input: { ...paging, ...wording },
    output: itemsOutput,
    untrusted: untrustedOf('items'),
    answer: (news, query: ItemsQuery) => answerWithItems(news, query),
  },
  {
    name: 'archive',
    description: 'Selected items of all time, newest first. For questions beyond the last 7 days.',
    input: {
      q: { type: 'string', minLength: 2, maxLength: 200 },
      source: { type: 'string', maxLength: 200, description: 'name or id' },
      language: { type: 'string', maxLength: 3 },
      from: { type: 'string', maxLength: 10, description: 'YYYY-MM-DD' },
      to: { type: 'string', maxLength: 10 },
      ...paging,
    },
    output: itemsOutput,
    untrusted: untrustedOf('items'),
    answer: (news, query: ArchiveQuery) => answerWithArchive(news, query),
  },
  {
    name: 'item',
    description: 'One item of any age with all fields.',
    input: { ...id, ...wording },
    requiredInput: ['id'],
    output: { item: { required: itemFields } },
    untrusted: [...untrustedOf('item'), 'item.originalTitle', 'item.reason', 'item.reasonValues.about'],
    answer: (news, { id: given, ...rest }: { readonly id: string } & Wording) =>
      answerWithItem(news, given, rest),
  },
  {
    name: 'hot_topics',
    description: 'Up to ten stories with the most independent sources, ranked. For "what matters now".',
    input: wording,
    output: { rankedAt: textOrNull, items: list('rank', ...entryFields) },
    untrusted: [...untrustedOf('items'), 'items.sourceNames'],
    answer: (news, given: Wording) => answerWithHotTopics(news, given),
  },
  {
    name: 'story',
    description: 'A story: digest, contradictions, all reports. To compare sources. id: a storyId.',
    input: { ...id, ...wording },
    requiredInput: ['id'],
    output: { story: { required: ['publicId', 'title', 'digest', 'reports', 'storyline', 'related'] } },
    untrusted: [
      'story.title',
      'story.digest',
      'story.versions',
      ...untrustedOf('story.reports'),
      'story.storyline.title',
      'story.related.title',
    ],
    answer: (news, { id: given, ...rest }: { readonly id: string } & Wording) =>
      answerWithStory(news, given, rest),
  },
  {
    name: 'report',
    description: 'A daily, weekly or monthly report, by default the latest. For "what is new".',
    input: {
      kind: { type: 'string', enum: reportKinds },
      period: {
        type: 'string',
        maxLength: 10,
        description: 'YYYY-MM-DD, YYYY-Www or YYYY-MM, Asia/Shanghai',
      },
      ...wording,
    },
    requiredInput: ['kind'],
    output: {
      period: text,
      revision: { type: 'integer' },
      headline: text,
      overview: text,
      sections: list('label', 'items'),
      flashes: list(...entryFields),
      corrections: list('at', 'note'),
    },
    untrusted: ['headline', 'overview', 'sections', 'flashes', 'corrections'],
    answer: (news, { kind, period, ...given }: ReportQuery) => answerWithReport(news, kind, period, given),
  },
  {
    name: 'reports',
    description: 'Periods with a report, newest first.',
    input: {
      kind: { type: 'string', enum: reportKinds },
      limit: { type: 'integer', minimum: 1, maximum: 50 },
      ...wording,
    },
    requiredInput: ['kind'],
    output: { reports: list('period', 'headline') },
    untrusted: ['reports.headline'],
    answer: (news, { kind, limit, ...given }: ReportsQuery) => answerWithReports(news, kind, limit, given),
  },
  {
    name: 'sources',
    description: 'Publishers with their ids.',
    input: { name: { type: 'string', maxLength: 100, description: 'part of the name' } },
    output: { sources: list('id', 'name', 'state') },
    untrusted: ['sources.name', 'sources.owner', 'sources.homepage'],
    answer: (news, { name }: { readonly name?: string }) => answerWithSources(news, name),
  },
  {
    name: 'corrections',
    description: 'Withdrawn, corrected, merged and split items, stories and reports, newest first.',
    input: { limit: { type: 'integer', minimum: 1, maximum: 50 }, ...cursor, ...wording },
    output: { corrections: list('at', 'action', 'subject', 'reason'), nextCursor: textOrNull },
    untrusted: ['corrections.reason'],
    answer: (news, query: CorrectionsQuery) => answerWithCorrections(news, query),
  },
  {
    name: 'changes_since',
    description:
      'Selected items added, changed or removed since a cursor or a time, oldest change first. Without either, returns a first cursor.',
    input: {
      cursor: { type: 'string', maxLength: 1024, description: 'of the previous response' },
      since: { type: 'string', maxLength: 40, description: 'RFC 3339' },
      ...wording,
    },
    output: { cursor: text, hasMore: { type: 'boolean' }, changes: list('op', 'changedAt') },
    untrusted: untrustedOf('changes.item'),
    answer: (news, { cursor: after, since, ...given }: ChangesQuery) => {
      if (since === undefined) return answerWithChanges(news, after, given);
      if (after === undefined) return answerWithChangesSince(news, since, given);
      throw new NewsRefused('invalid_request', 'Pass either cursor or since, not both.');
    },
  },
  {
    name: 'ask',
    description:
      'Ask an agent of your organization. It answers from the news and from files that you can read, sentence by sentence with citations, or says that the sources do not answer.',
    input: {
      question: { type: 'string', minLength: 1, maxLength: 2000, description: 'one fact, with its names' },
      agent: { type: 'string', maxLength: 100, description: 'id, slug or name; default: the only one' },
      organization: { type: 'string', maxLength: 100, description: 'key or name; default: the current one' },
      username: { type: 'string', maxLength: 100, description: 'with a platform token only' },
      follows: { type: 'string', maxLength: 64, description: 'id of the previous answer' },
    },
    requiredInput: ['question'],
    output: {
      id: text,
      answered: { type: 'boolean' },
      sentences: list('text', 'cites'),
      leftOut: list('reason', 'text'),
      contradictions: { type: 'array' },
      sources: list('kind', 'id', 'title', 'url'),
    },
    untrusted: ['sentences.text', 'sources.title', 'sources.publisher'],
    isSignedIn: true,
    answer: (news, asked: AgentQuestion) => answerWithAnswer(news, asked),
  },
];
