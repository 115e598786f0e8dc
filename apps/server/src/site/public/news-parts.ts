import { html } from 'ghtml';

import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { parseIsoInstant } from '../../foundation/instant.ts';
import { otherLanguage, readerLanguageOf } from '../../foundation/reader-language.ts';
import type { recorded } from '../../record/index.ts';
import { items as itemBodies, publicPaths } from '../../record/index.ts';
import { clipped, nameCharsMax, summaryCharsMax, titleCharsMax } from './clipped.ts';
import { clockTime, moment, shortDay } from './moments.ts';
import type { PageContext } from './page-context.ts';

/** A listed item, read from its stored body. */
export interface ShownItem extends itemBodies.ItemBody {
  readonly key: EpochMicroseconds;
  readonly storyId: Id<'story'> | null;
  readonly storyReportCount: number;
}

export async function shownItems(
  items: readonly recorded.ListedItem[],
  { baseUrl, language, storyLayer, record }: PageContext,
): Promise<readonly ShownItem[]> {
  const storyIds = items.flatMap(({ storyId }) => (storyId === null || !storyLayer ? [] : [storyId]));
  const reportCounts = await record.reportCounts(storyIds);
  return items.map((item) => {
    const storyId = storyLayer ? item.storyId : null;
    const body = JSON.parse(
      itemBodies.itemJson({ body: item.body, storyId }, { baseUrl, language }),
    ) as itemBodies.ItemBody;
    return {
      ...body,
      title: clipped(body.title, titleCharsMax),
      summary: clipped(body.summary, summaryCharsMax),
      source: { name: clipped(body.source.name, nameCharsMax) },
      key: item.key,
      storyId,
      storyReportCount: storyId === null ? 0 : (reportCounts.get(storyId) ?? 0),
    };
  });
}

/** Publishers' addresses are links only where a browser would open them as pages. */
export function externalLink(url: string, label: string): string {
  if (!/^https?:\/\//i.test(url)) return html`${label}`;
  return html`<a href="${url}" rel="noopener nofollow ugc">${clipped(label, nameCharsMax)}</a>`;
}

/** What is in the language of the page, and the rest; everything, where the reader chose all languages. */
export function byReaderLanguage<Listed extends { readonly language: string | null; readonly title: string }>(
  list: readonly Listed[],
  { language, mixesLanguages }: Pick<PageContext, 'language' | 'mixesLanguages'>,
): { readonly own: readonly Listed[]; readonly others: readonly Listed[] } {
  if (mixesLanguages) return { own: list, others: [] };
  const isOwn = (one: Listed): boolean => readerLanguageOf(one.language, one.title) === language;
  return { own: list.filter(isOwn), others: list.filter((one) => !isOwn(one)) };
}

/** The heading of entries that are not in the language of the page. */
export function otherLanguageHeading(
  others: readonly { readonly language: string | null; readonly title: string }[],
  { words: { languages }, language }: Pick<PageContext, 'words' | 'language'>,
): string {
  const other = otherLanguage(language);
  return others.every((one) => readerLanguageOf(one.language, one.title) === other)
    ? languages.other
    : languages.others;
}

/** `lang`, where it is known and differs from the page's. */
export function langOf(language: string | null, { language: own }: Pick<PageContext, 'language'>): string {
  return language === null || language === own ? '' : html`lang="${language}"`;
}

/** Switches to the language of the interface inside an item of another. */
export function interfaceLang(
  language: string | null,
  { language: own }: Pick<PageContext, 'language'>,
): string {
  return language === null || language === own ? '' : html`lang="${own}"`;
}

export function categoryLink(category: string, { words, href }: PageContext): string {
  return html`<a class="tag" href="${href(`/timeline?category=${category}`)}"
    >${words.categories[category] ?? category}</a
  >`;
}

export function storyLink(
  storyId: string | null,
  reportCount: number,
  { words, href }: PageContext,
): string | null {
  if (storyId === null || reportCount < 2) return null;
  return html`<a href="${href(publicPaths.storyPath(storyId))}">${words.storyWith(reportCount)}</a>`;
}

/** Facts in a row, with separators. */
export function factsLine(facts: readonly (string | null)[]): string {
  return facts
    .filter((fact) => fact !== null)
    .map((fact) => `<span>${fact}</span>`)
    .join('');
}

export interface TimelineOptions {
  readonly marked?: (text: string) => string;
  /** `h2` where the list directly follows the title of the page. */
  readonly level: 2 | 3;
}

/** Items grouped by day of arrival, newest first. */
export function timelineList(
  items: readonly ShownItem[],
  context: PageContext,
  { marked = escaped, level }: TimelineOptions,
): string {
  const byDay = Map.groupBy(items, ({ key }) => shortDay(key, context.language));
  const today = shortDay(context.clock.now(), context.language);
  return [...byDay]
    .map(
      ([day, ofDay]) =>
        html`!${day === today ? '' : html`<p class="day-name">${day}</p>`}
          <ol class="timeline">
            !${ofDay.map((item) => timelineEntry(item, context, { marked, level }))}
          </ol>`,
    )
    .join('');
}

function timelineEntry(
  item: ShownItem,
  context: PageContext,
  { marked, level }: Required<TimelineOptions>,
): string {
  const path = context.href(publicPaths.itemPath(item.id));
  const facts = factsLine([
    categoryLink(item.category, context),
    html`${item.source.name}`,
    storyLink(item.storyId, item.storyReportCount, context),
  ]);
  return html`<li data-entry="${item.id}" data-key="${item.discoveredAt}" data-source="${item.source.name}">
    !${clockTime(item.key)}
    <article !${langOf(item.language, context)}>
      <h${level}><a href="${path}">!${marked(item.title)}</a></h${level}>
      <p>!${marked(item.summary)}</p>
      <div class="meta" !${interfaceLang(item.language, context)}>!${facts}</div>
      !${reasonLine(item, context)}
    </article>
  </li>`;
}

export function reasonLine(
  { reason, language }: Pick<itemBodies.ItemBody, 'reason' | 'language'>,
  context: PageContext,
): string {
  if (reason === null || reason === '') return '';
  return html`<p class="why" !${interfaceLang(language, context)}>
    <b>${context.words.why}</b> ${clipped(reason, titleCharsMax)}
  </p>`;
}

export function escaped(text: string): string {
  return html`${text}`;
}

/** A moment written as ISO 8601 in a stored body. */
export function storedMoment(text: string, { language }: PageContext): string {
  const parsed = parseIsoInstant(text);
  return parsed.ok ? moment(parsed.value, language) : '';
}

/** A digest's sentences with numbers that link to their cited items. */
export function citedSentences(
  sentences: recorded.StoryDigest['sentences'],
  numbers: ReadonlyMap<string, number>,
  { words }: PageContext,
  reportsPath = '',
): string {
  return sentences
    .map(({ text, cites }) => {
      const known = cites.map((id) => numbers.get(id)).filter((number) => number !== undefined);
      const links = known
        .map(
          (number) =>
            html`<a href="${reportsPath}#r${number}" aria-label="${words.story.citation(number)}"
              >${number}</a
            >`,
        )
        .join(' ');
      return links === '' ? html`${text}` : html`${text}⁠<sup>!${links}</sup>`;
    })
    .join(' ');
}

/** Items are numbered in order of arrival. */
export function itemNumbers(items: readonly recorded.StoryItem[]): ReadonlyMap<string, number> {
  const oldestFirst = items.toReversed();
  return new Map(oldestFirst.map(({ id }, index) => [id, index + 1]));
}
