import { html } from 'ghtml';

import { dayMs } from '../../foundation/clock.ts';
import { readArchive, readArchiveQuery } from '../../news/archive/index.ts';
import { readItemsPage, readItemsQuery } from '../../news/items/index.ts';
import { watchMail } from '../../watch/index.ts';
import { scripts } from '../shell/assets.ts';
import { hiddenNote, sinceLastVisit } from './device-page.ts';
import type { ShownItem } from './news-parts.ts';
import { shownItems, timelineList } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import { itemListHref } from './page-context.ts';

const itemsShown = 12;
/** With fewer items the list reaches further. */
const itemsFew = 10;
/** One item of each story is shown, so more of them are read. */
const itemsRead = 36;
/** With fewer items of the last 24 hours, the page says how far it looks back. */
const quietFew = 3;

/**
 * The newest selected items, one of each story. Where they are few, unselected items of the last seven days follow, then
 * selected ones of the archive.
 */
export async function readFrontTimeline(context: PageContext): Promise<readonly ShownItem[]> {
  const language = context.mixesLanguages ? {} : { language: context.language };
  const sources = [
    () => readNewest(context, 'selected', itemsRead, language.language),
    () => readNewest(context, 'all', itemsRead, language.language),
    async () =>
      shownItems((await readArchive(context, readArchiveQuery(language), null, itemsRead)).items, context),
  ];
  let items: readonly ShownItem[] = [];
  for (const read of sources) {
    if (items.length >= itemsFew) break;
    items = oneOfEachStory([...items, ...(await read())]).slice(0, itemsShown);
  }
  return items.toSorted((one, other) => Number(other.key - one.key));
}

function oneOfEachStory(items: readonly ShownItem[]): readonly ShownItem[] {
  const known = new Set<string>();
  return items.filter(({ id, storyId }) => {
    const key = storyId ?? id;
    const isNew = !known.has(key) && !known.has(id);
    known.add(key).add(id);
    return isNew;
  });
}

/** Items of the last seven days. */
export async function readNewest(
  context: PageContext,
  mode: 'selected' | 'all',
  count: number,
  language: string | undefined,
): Promise<readonly ShownItem[]> {
  const query = readItemsQuery({
    mode,
    window: '7d',
    by: 'timeline',
    limit: count,
    ...(language === undefined ? {} : { language }),
  });
  return shownItems((await readItemsPage(context, query, null, count)).items, context);
}

const dayAlone = '/timeline?mode=all&window=24h';

function ageDays(item: ShownItem, { clock }: PageContext): number {
  return Number(clock.now() - item.key) / 1_000 / dayMs;
}

/** On a quiet day: how few items the last 24 hours have, and how far the page looks back. */
export function quietNote(items: readonly ShownItem[], context: PageContext): string {
  const { words, href } = context;
  const oldest = items.at(-1);
  const today = items.filter((item) => ageDays(item, context) < 1).length;
  if (oldest === undefined || today >= quietFew) return '';
  const days = Math.max(2, Math.ceil(ageDays(oldest, context)));
  return html`<p class="quiet-note">
    ${words.front.quiet(today, days)}
    !${today === 0 ? '' : html`<a href="${href(dayAlone)}">${words.front.dayAlone}</a>`}
  </p>`;
}

/** Filled by a script, for readers who save searches. */
export function savedSection({ words, savesSearches }: PageContext): string {
  if (!savesSearches) return '';
  return html`<section
      class="saved below"
      aria-labelledby="saved"
      data-watch="${watchMail.watchPaths.manage}/front"
      hidden
    >
      <h2 class="rule" id="saved">${words.front.saved}</h2>
      <ul></ul>
      <p class="meta"><a href="${watchMail.watchPaths.manage}">${words.watchMail.manage}</a></p>
    </section>
    <script src="${scripts.watch.path}" defer></script>`;
}

export function frontTimeline(items: readonly ShownItem[], context: PageContext): string {
  const { words, href } = context;
  const oldest = items.at(-1);
  const days = oldest === undefined ? 1 : Math.ceil(ageDays(oldest, context));
  const note = items.every(({ selected }) => selected)
    ? words.front.timelineNote(days)
    : words.front.timelineNoteAll(days);
  return html`<section class="front-timeline below" aria-labelledby="timeline">
    <h2 class="rule" id="timeline">
      ${words.front.timeline} !${items.length === 0 ? '' : html`<span>${note}</span>`}
    </h2>
    <p class="fresh" aria-live="polite">
      <a href="${href('/')}" data-new-items="${itemListHref('/api/v1/items?limit=20', context)}" hidden></a>
    </p>
    !${sinceLastVisit(context)} !${hiddenNote(context)}
    !${items.length === 0 ? html`<p class="empty">${words.front.empty}</p>` : html`<div class="columns">!${timelineList(items, context, { level: 3 })}</div>`}
    <p class="meta"><a href="${href('/timeline')}">${words.front.whole}</a></p>
  </section>`;
}
