import { withoutEmpty } from './compact-data.ts';
import { outlineCorrections, outlineSources } from './markdown/outline.ts';
import type { Wording } from './news-answers.ts';
import { listSources } from './news-answers.ts';
import type { McpNews, NewsAnswer } from './news.ts';
import { required } from './news.ts';

/** All sources whose name contains the words, by name. */
export async function answerWithSources(news: McpNews, name = ''): Promise<NewsAnswer> {
  const wanted = name.toLowerCase();
  const sources = (await listSources(news)).filter((one) => one.name.toLowerCase().includes(wanted));
  const data = sources.map(({ id, name: called, owner, language, state, links, contributed }) =>
    withoutEmpty({
      id,
      name: called,
      owner,
      language,
      state,
      homepage: links.homepage,
      items7d: contributed.items,
      selected7d: contributed.selected,
    }),
  );
  const outline = outlineSources(sources);
  return { data: { sources: data }, outline, markdown: outline, freshForMs: 0 };
}

export interface CorrectionsQuery extends Wording {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Withdrawals, corrections, merges and splits, newest first. */
export async function answerWithCorrections(news: McpNews, query: CorrectionsQuery): Promise<NewsAnswer> {
  const { data, freshForMs } = required(news, await news.client.listCorrections({ limit: 20, ...query }));
  const { nextCursor } = data.page;
  const notes = nextCursor === null ? [] : [`Next page: cursor \`${nextCursor}\`.`];
  const outline = outlineCorrections(data.corrections, notes);
  const corrections = data.corrections.map(
    ({ id, at, action, subject, otherStory, reason, reports, links }) =>
      withoutEmpty({
        id,
        at,
        action,
        subject,
        otherStory,
        reason,
        link: links.subject,
        reports: reports.length === 0 ? null : reports.map(({ kind, period }) => `${kind} ${period}`),
      }),
  );
  return { data: { corrections, nextCursor }, outline, markdown: outline, freshForMs };
}
