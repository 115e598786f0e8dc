import { html } from 'ghtml';

import { dayMs, hourMs } from '../../foundation/clock.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { recorded } from '../../record/index.ts';
import { publicPaths } from '../../record/index.ts';
import { clipped, titleCharsMax } from './clipped.ts';
import { moment } from './moments.ts';
import { byReaderLanguage, langOf, otherLanguageHeading } from './news-parts.ts';
import type { PageContext } from './page-context.ts';

export interface HotEntry {
  readonly rank: number;
  readonly item: recorded.RankedItem;
  /** Its rank a day before; null without one; undefined without a ranking to compare with. */
  readonly before: number | null | undefined;
}

export interface Hot {
  readonly rankedAt: EpochMicroseconds | null;
  readonly entries: readonly HotEntry[];
}

/** The current ranking, beside the one of a day before. */
export async function readHot({ record, language }: PageContext): Promise<Hot> {
  const ranking = await record.latestRanking(language);
  if (ranking === null) return { rankedAt: null, entries: [] };
  const { rankedAt, items } = ranking;
  // The latest one that is at least a day old, so that a gap in the night does no harm.
  const dayBefore = { from: addMs(rankedAt, -48 * hourMs), to: addMs(rankedAt, -dayMs + 60_000) };
  const [before] = await record.rankPositions([dayBefore]);
  const entries = items.map((item, index) => ({
    rank: index + 1,
    item,
    before: before === undefined ? undefined : (before.ranks.get(rankKey(item)) ?? null),
  }));
  return { rankedAt, entries };
}

/** The key of a rank: the story if it has one. */
export function rankKey({ storyId, id }: Pick<recorded.RankedItem, 'storyId' | 'id'>): string {
  return storyId ?? id;
}

/** Entries in another language follow under a heading of their own, with their titles alone. */
export function hotList(entries: readonly HotEntry[], context: PageContext, level: 2 | 3): string {
  if (entries.length === 0) return html`<p class="empty">${context.words.hot.none}</p>`;
  const { own, others } = byReaderLanguage(
    entries.map((entry) => ({ ...entry, title: entry.item.title, language: entry.item.language })),
    context,
  );
  const list = (some: readonly HotEntry[], isOwn: boolean): string =>
    html`<ol class="hot-list">
      !${some.map((entry) => hotEntry(entry, context, { level, isOwn }))}
    </ol>`;
  return (
    list(own, true) +
    (others.length === 0
      ? ''
      : html`<p class="day-name">${otherLanguageHeading(others, context)}</p>
          !${list(others, false)}`)
  );
}

function hotEntry(
  { rank, item, before }: HotEntry,
  context: PageContext,
  { level, isOwn }: { readonly level: 2 | 3; readonly isOwn: boolean },
): string {
  const { words, href, language, storyLayer } = context;
  const path =
    storyLayer && item.storyId !== null ? publicPaths.storyPath(item.storyId) : publicPaths.itemPath(item.id);
  return html`<li data-entry="${item.id}">
    <span class="rank">${String(rank)}</span>
    <div>
      <h${level} !${langOf(item.language, context)}><a href="${href(path)}">${clipped(item.title, titleCharsMax)}</a></h${level}>
      !${
        isOwn
          ? html`<p class="meta">
              ${sourceCounts(item, context)}${words.comma}${words.front.latest.toLowerCase()}
              !${moment(item.latestAt, language)}
            </p>`
          : ''
      }
    </div>
    !${movement(rank, before, context)}
  </li>`;
}

/** The sources of the story, and those of the ranked hours where they are fewer. */
function sourceCounts(
  { sourceCount, recentSourceCount }: recorded.RankedItem,
  { words }: PageContext,
): string {
  const all = words.sources(sourceCount);
  return recentSourceCount < sourceCount ? `${all}${words.hot.recent(recentSourceCount)}` : all;
}

/** A visible sign, and the same in words for screen readers. */
export function movement(
  rank: number,
  before: number | null | undefined,
  { words: { movement: messages } }: PageContext,
): string {
  if (before === undefined) return '<span class="movement"></span>';
  if (before === null) return html`<span class="movement fresh">${messages.fresh}</span>`;
  if (before === rank)
    return html`<span class="movement"
      ><span aria-hidden="true">–</span><span class="hidden">${messages.same}</span></span
    >`;
  const places = Math.abs(before - rank);
  const isUp = before > rank;
  return html`<span class="movement ${isUp ? 'up' : 'down'}"
    ><span aria-hidden="true">${isUp ? '▲' : '▼'} ${places}</span
    ><span class="hidden">${isUp ? messages.up(places) : messages.down(places)}</span></span
  >`;
}
