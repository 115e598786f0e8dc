import { categories, listSources } from './news-answers.ts';
import type { McpNews } from './news.ts';
import { NewsRefused } from './news.ts';
import type { ReportKind } from './report-answers.ts';
import { isReportKind, reportKinds, reportPeriods } from './report-answers.ts';

/** Values for what was typed so far; other arguments of the same prompt or address may narrow them. */
export type Complete = (
  news: McpNews,
  typed: string,
  others: Readonly<Record<string, string>>,
) => Promise<string[]>;

type Completer = (
  typed: string,
  context?: { readonly arguments?: Readonly<Record<string, string>> },
) => Promise<string[]>;

/** Of an address with one variable. Without a prototype: the SDK would call what it finds under `constructor`. */
export function completersOf(news: McpNews, variable: string, complete: Complete): Record<string, Completer> {
  const completers = Object.create(null) as Record<string, Completer>;
  completers[variable] = completer(news, complete);
  return completers;
}

/** As the SDK calls it. Where the API refuses, suggests nothing: users do not act on errors while typing. */
export function completer(news: McpNews, complete: Complete): Completer {
  return async (typed, context) => {
    try {
      return await complete(news, typed, context?.arguments ?? {});
    } catch (error) {
      if (!(error instanceof NewsRefused)) throw error;
      return [];
    }
  };
}

/** How many editions are searched; the API lists at least as many. */
const periodsMax: Readonly<Record<ReportKind, number>> = { daily: 100, weekly: 60, monthly: 60 };
const itemsMax = 100;

export const completeReportKind: Complete = (_, typed) => Promise.resolve(startingWith(typed, reportKinds));

export const completeCategory: Complete = (_, typed) => Promise.resolve(startingWith(typed, categories));

export const completePeriodOf =
  (kind: ReportKind): Complete =>
  async (news, typed) =>
    startingWith(
      typed,
      (await reportPeriods(news, kind, periodsMax[kind])).map(({ period }) => period),
    );

/** Of the kind given in another argument; daily by default. */
export const completePeriod: Complete = async (news, typed, others) => {
  const { kind = 'daily' } = others;
  return isReportKind(kind) ? completePeriodOf(kind)(news, typed, others) : [];
};

/** Stories that users request now: those of hot topics, then those of the latest items. */
export const completeStory: Complete = async (news, typed) => {
  const [hot, latest] = await Promise.all([
    news.client.listHotTopics(),
    news.client.listItems({ limit: itemsMax }),
  ]);
  const listed = [...(hot.ok ? hot.data.items : []), ...(latest.ok ? latest.data.items : [])];
  const ids = listed.flatMap(({ links: { story } }) =>
    story === undefined ? [] : [story.slice(story.lastIndexOf('/') + 1)],
  );
  return startingWith(typed, [...new Set(ids)]);
};

/** By name, wherever in it the words occur: few people know how a publisher begins its name. */
export const completeSource: Complete = async (news, typed) => {
  const names = (await listSources(news)).map(({ name }) => name);
  const beginning = startingWith(typed, names);
  const holding = names.filter((name) => name.toLowerCase().includes(typed.toLowerCase()));
  return [...new Set([...beginning, ...holding])];
};

function startingWith(typed: string, values: readonly string[]): string[] {
  return values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
}
