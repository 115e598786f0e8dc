import type { Answer, NewsClient } from '@daybook/client';
import type { DailyReport, MonthlyReport, ReportFlash, WeeklyReport } from '@daybook/client/types';

import { compactItem, withoutEmpty } from './compact-data.ts';
import { writeReport } from './markdown/index.ts';
import { outlineReport, outlineReports } from './markdown/outline.ts';
import type { Wording } from './news-answers.ts';
import type { McpNews, NewsAnswer } from './news.ts';
import { NewsRefused, required } from './news.ts';

export const reportKinds = ['daily', 'weekly', 'monthly'] as const;
export type ReportKind = (typeof reportKinds)[number];

export function isReportKind(kind: string): kind is ReportKind {
  return reportKinds.some((one) => one === kind);
}

type AnyReport = DailyReport | WeeklyReport | MonthlyReport;

interface Definition {
  /** The name of the period in addresses. */
  readonly label: string;
  readonly form: RegExp;
  readonly latest: (client: NewsClient, wording: Wording) => Promise<Answer<{ readonly report: AnyReport }>>;
  readonly dated: (
    client: NewsClient,
    period: string,
    wording: Wording,
  ) => Promise<Answer<{ readonly report: AnyReport }>>;
  readonly periods: (
    client: NewsClient,
    query: { readonly limit: number } & Wording,
  ) => Promise<Answer<{ readonly reports: readonly object[] }>>;
}

export const reportDefinitions: Readonly<Record<ReportKind, Definition>> = {
  daily: {
    label: 'date',
    form: /^\d{4}-\d{2}-\d{2}$/,
    latest: (client, wording) => client.getLatestDaily(wording),
    dated: (client, date, wording) => client.getDaily({ date, ...wording }),
    periods: (client, query) => client.listDailies(query),
  },
  weekly: {
    label: 'week',
    form: /^\d{4}-W\d{2}$/,
    latest: (client, wording) => client.getLatestWeekly(wording),
    dated: (client, week, wording) => client.getWeekly({ week, ...wording }),
    periods: (client, query) => client.listWeeklies(query),
  },
  monthly: {
    label: 'month',
    form: /^\d{4}-\d{2}$/,
    latest: (client, wording) => client.getLatestMonthly(wording),
    dated: (client, month, wording) => client.getMonthly({ month, ...wording }),
    periods: (client, query) => client.listMonthlies(query),
  },
};

/** A daily, weekly or monthly edition; without a period the latest. */
export async function answerWithReport(
  news: McpNews,
  kind: ReportKind,
  period: string | undefined,
  wording: Wording = {},
): Promise<NewsAnswer> {
  const { form, latest, dated } = reportDefinitions[kind];
  if (period !== undefined && !form.test(period))
    throw new NewsRefused('invalid_request', `A ${kind} report is named like ${examples[kind]}.`);
  const { client } = news;
  const answer = await (period === undefined ? latest(client, wording) : dated(client, period, wording));
  const { data, freshForMs } = required(news, answer);
  const report = inOneForm(data.report);
  return {
    data: {
      kind,
      ...withoutTimes(report),
      sections: report.sections.map(({ label, items }) => ({ label, items: items.map(compactItem) })),
      flashes: report.flashes.map(compactItem),
    },
    outline: outlineReport(kind, report),
    markdown: writeReport(kind, report),
    freshForMs,
  };
}

/** The period says the times between which its items came. Most reports have no notes and no filling entries. */
function withoutTimes({ periodStart: _start, periodEnd: _end, ...rest }: Report): object {
  const { unselectedCount, editorsNotes, ...always } = rest;
  return {
    ...always,
    ...(unselectedCount === 0 ? {} : { unselectedCount }),
    ...(editorsNotes.length === 0 ? {} : { editorsNotes }),
  };
}

/** The editions of a kind, newest first. */
export async function answerWithReports(
  news: McpNews,
  kind: ReportKind,
  limit = 20,
  wording: Wording = {},
): Promise<NewsAnswer> {
  const { label, periods } = reportDefinitions[kind];
  const { data, freshForMs } = required(news, await periods(news.client, { limit, ...wording }));
  const reports = (data.reports as readonly Record<string, unknown>[]).map((entry) => ({
    period: String(entry[label]),
    headline: String(entry['headline']),
    ...withoutEmpty({ language: entry['language'], links: entry['links'] }),
  }));
  const outline = outlineReports(kind, reports);
  return { data: { reports }, outline, markdown: outline, freshForMs };
}

const examples: Readonly<Record<ReportKind, string>> = {
  daily: '2026-11-15',
  weekly: '2026-W46',
  monthly: '2026-11',
};

/** The kinds differ in the names of their period and in flashes; the output hides these differences. */
function inOneForm(report: AnyReport): Report {
  const { generatedAt, revision, headline, overview, language, links, sections, corrections } = report;
  // Absent in responses of older servers.
  const { unselectedCount = 0, editorsNotes = [] } = report as Partial<AnyReport>;
  const notes = { unselectedCount, editorsNotes };
  const rest = {
    generatedAt,
    revision,
    headline,
    overview,
    language,
    links,
    sections,
    ...notes,
    corrections,
  };
  if ('date' in report) {
    const { date, windowStart, windowEnd, flashes } = report;
    return { period: date, periodStart: windowStart, periodEnd: windowEnd, ...rest, flashes };
  }
  const { periodStart, periodEnd } = report;
  return {
    period: 'week' in report ? report.week : report.month,
    periodStart,
    periodEnd,
    ...rest,
    flashes: [],
  };
}

interface Report extends Pick<
  DailyReport,
  | 'generatedAt'
  | 'revision'
  | 'headline'
  | 'overview'
  | 'language'
  | 'links'
  | 'sections'
  | 'unselectedCount'
  | 'editorsNotes'
  | 'corrections'
> {
  readonly period: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly flashes: ReportFlash[];
}

/** The periods that have an edition, newest first, with their headlines. */
export async function reportPeriods(
  news: McpNews,
  kind: ReportKind,
  limit: number,
): Promise<readonly { readonly period: string; readonly generatedAt: string }[]> {
  const { label, periods } = reportDefinitions[kind];
  const answer = await periods(news.client, { limit });
  if (!answer.ok) return [];
  return (answer.data.reports as readonly Record<string, string>[]).map((entry) => ({
    period: entry[label] ?? '',
    generatedAt: entry['generatedAt'] ?? '',
  }));
}
