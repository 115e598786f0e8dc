import { html } from 'ghtml';

import { dayMs, hourMs } from '../../foundation/clock.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { Id } from '../../foundation/ids.ts';
import { readItemsPage, readItemsQuery } from '../../news/items/index.ts';
import type { WordedStory } from '../../news/stories/index.ts';
import { wordStory } from '../../news/stories/index.ts';
import type { recorded } from '../../record/index.ts';
import { editions, publicPaths, recordCacheTags } from '../../record/index.ts';
import { categoryMix, coverageBars, coverageChart } from './charts.ts';
import { clipped, nameCharsMax, titleCharsMax } from './clipped.ts';
import { correctionList } from './corrections-page.ts';
import { hiddenNote, sinceLastVisit } from './device-page.ts';
import { editionLabel, mixOf } from './edition-parts.ts';
import type { Hot, HotEntry } from './hot-list.ts';
import { hotList, readHot } from './hot-list.ts';
import { clockTime, moment } from './moments.ts';
import type { ShownItem } from './news-parts.ts';
import {
  byReaderLanguage,
  citedSentences,
  itemNumbers,
  langOf,
  shownItems,
  timelineList,
} from './news-parts.ts';
import { otherLanguageList, readOtherLanguage } from './other-language.ts';
import type { PageContext } from './page-context.ts';
import { itemListHref } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

const timelineShown = 12;
/** With fewer selected items, unselected ones follow. */
const timelineFew = 10;
const correctionsShown = 3;
const editionLines = 5;
const leadSentences = 4;
const secondSentences = 2;
/** The lead and the stories below it. */
const storiesShown = 4;
/** The number of stories read to fill the page on a quiet day. */
const recentStoriesRead = 24;
const quietMs = 3 * hourMs;

export function frontPage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/',
    operationId: 'getFrontPage',
    freshness: 'minute',
    resource: (_input, context) => ({
      key: 'front',
      cacheTags: Object.values(recordCacheTags),
      build: () => buildFrontPage(context),
    }),
  });
}

async function buildFrontPage(context: PageContext): Promise<PublicPage> {
  const { record, words, storyLayer } = context;
  const [hot, items, others, edition, corrections, newestAt] = await Promise.all([
    readHot(context),
    readTimeline(context),
    readOtherLanguage(context, (language, count) => readNewest(context, 'selected', count, language)),
    record.edition('daily', 'latest'),
    record.corrections({ after: null, rowsMax: correctionsShown, withStories: storyLayer }),
    record.newestItemAt(),
  ]);
  const [lead, ...second] = await readTopStories(hot.entries, context);
  return {
    title: words.tagline,
    description: words.description,
    path: '/',
    section: 'front',
    isFront: true,
    width: 'wide',
    updatedAt: newestAt,
    staleAfterMs: quietMs,
    image: '/og/front.png',
    feeds: [
      { title: `Daybook: ${words.timeline.selected}`, path: itemListHref('/feeds/selected.atom', context) },
      { title: `Daybook: ${words.timeline.selected}`, path: itemListHref('/feeds/selected.json', context) },
    ],
    structured: { '@type': 'WebSite', description: words.description },
    main: html`<h1 class="hidden">${words.tagline}</h1>
      <div class="halves">
        <div>
          !${lead === undefined ? noLead(context) : await leadStory(lead, context)}
          !${second.length === 0 ? '' : secondStories(second, context)}
        </div>
        !${hotNow(hot, context)}
      </div>
      !${frontTimeline(items, context)} !${edition === null ? '' : editionBox(edition, context)}
      !${correctionsBox(corrections, context)} !${otherLanguageList(others, '/', context)}`,
  };
}

/** The newest selected items; where they are few, unselected ones of the same days fill the list. */
async function readTimeline(context: PageContext): Promise<readonly ShownItem[]> {
  const language = context.mixesLanguages ? null : context.language;
  const selected = await readNewest(context, 'selected', timelineShown, language);
  if (selected.length >= timelineFew) return selected;
  const newest = await readNewest(context, 'all', timelineShown, language);
  const known = new Set(selected.map(({ id }) => id));
  return [...selected, ...newest.filter(({ id }) => !known.has(id))]
    .slice(0, timelineShown)
    .toSorted((one, other) => Number(other.key - one.key));
}

async function readNewest(
  context: PageContext,
  mode: 'selected' | 'all',
  count: number,
  language: string | null,
): Promise<readonly ShownItem[]> {
  const query = readItemsQuery({
    mode,
    window: '7d',
    by: 'timeline',
    limit: count,
    ...(language === null ? {} : { language }),
  });
  return shownItems((await readItemsPage(context, query, null, count)).items, context);
}

/** The highest-ranked stories that have a digest in the language of the page; on a quiet day recent ones follow. */
async function readTopStories(
  entries: readonly HotEntry[],
  context: PageContext,
): Promise<readonly WordedStory[]> {
  if (!context.storyLayer) return [];
  const ranked = entries.flatMap(({ item: { storyId } }) => (storyId === null ? [] : [storyId]));
  const stories = await readDigestedStories(ranked, context, storiesShown);
  if (stories.length === storiesShown) return stories;
  const recent = (await context.record.recentStoryIds(recentStoriesRead)).filter(
    (id) => !ranked.includes(id),
  );
  return [...stories, ...(await readDigestedStories(recent, context, storiesShown - stories.length))];
}

async function readDigestedStories(
  ids: readonly Id<'story'>[],
  context: PageContext,
  count: number,
): Promise<readonly WordedStory[]> {
  const stories: WordedStory[] = [];
  for (const id of ids) {
    if (stories.length === count) break;
    const found = await context.record.story(id);
    if (found?.state !== 'standing') continue;
    const story = wordStory(found.story, [context.language]);
    const isOwn = context.mixesLanguages || story.language === context.language;
    if (isOwn && story.digest !== null) stories.push(story);
  }
  return stories;
}

function hotNow(hot: Hot, context: PageContext): string {
  const { words } = context;
  return html`<aside aria-labelledby="hot-now">
    <h2 class="rule" id="hot-now">
      ${words.front.hot}
      <span>!${hot.rankedAt === null ? '' : html`${words.front.ranked} !${clockTime(hot.rankedAt)}`}</span>
    </h2>
    !${hotList(hot.entries, context, 3)}
    <p class="meta"><a href="${context.href('/hot')}">${words.front.allTen}</a></p>
  </aside>`;
}

function frontTimeline(items: readonly ShownItem[], context: PageContext): string {
  const { words, href, clock } = context;
  const oldest = items.at(-1);
  const ageMs = oldest === undefined ? 0 : Number(clock.now() - oldest.key) / 1_000;
  const days = Math.ceil(ageMs / dayMs);
  return html`<section class="front-timeline below" aria-labelledby="timeline">
    <h2 class="rule" id="timeline">
      ${words.front.timeline}
      !${items.length === 0 ? '' : html`<span>${items.every(({ selected }) => selected) ? words.front.timelineNote(days) : words.front.timelineNoteAll(days)}</span>`}
    </h2>
    <p class="fresh" aria-live="polite">
      <a href="${href('/')}" data-new-items="${itemListHref('/api/v1/items?limit=20', context)}" hidden></a>
    </p>
    !${sinceLastVisit(context)} !${hiddenNote(context)}
    !${items.length === 0 ? html`<p class="empty">${words.front.empty}</p>` : html`<div class="columns">!${timelineList(items, context, { level: 3 })}</div>`}
    <p class="meta"><a href="${href('/timeline')}">${words.front.whole}</a></p>
  </section>`;
}

function secondStories(stories: readonly WordedStory[], context: PageContext): string {
  const { words, href } = context;
  return html`<div class="second-stories">
    !${stories.map((story) => {
      const path = href(publicPaths.storyPath(story.id));
      const lang = langOf(story.language, context);
      const sentences = story.digest?.sentences.slice(0, secondSentences) ?? [];
      return html`<article data-entry="${story.items[0]?.id ?? story.id}">
        <p class="kick">
          ${[words.reports(story.reportCount), words.sources(story.sourceCount)].join(words.comma)}
        </p>
        <h2 !${lang}><a href="${path}">${clipped(story.title, titleCharsMax)}</a></h2>
        <p !${lang}>!${citedSentences(sentences, itemNumbers(story.items), context, path)}</p>
      </article>`;
    })}
  </div>`;
}

async function leadStory(story: WordedStory, context: PageContext): Promise<string> {
  const { words, href, language, clock, record } = context;
  const coverage = await record.storyCoverage(story.id);
  const path = href(publicPaths.storyPath(story.id));
  const numbers = itemNumbers(story.items);
  const [newest] = story.items;
  const [first] = coverage;
  const lang = langOf(story.language, context);
  const contradiction = story.digest?.contradictions[0];
  return html`<article class="lead-story">
    <p class="kick">
      ${[words.front.kick, words.reports(story.reportCount), words.sources(story.sourceCount)].join(words.comma)}
    </p>
    <h2 class="headline" !${lang}><a href="${path}">${clipped(story.title, titleCharsMax)}</a></h2>
    <p class="opening" !${lang}>
      !${citedSentences(story.digest?.sentences.slice(0, leadSentences) ?? [], numbers, context, path)}
    </p>
    !${
      contradiction === undefined
        ? ''
        : html`<div class="says">
            <b>${words.front.disagree}</b>
            <span !${lang}
              >!${citedSentences(
                [
                  {
                    text: contradiction.statement,
                    cites: [...contradiction.earlier.slice(0, 2), ...contradiction.later.slice(0, 2)],
                  },
                ],
                numbers,
                context,
                path,
              )}</span
            >
          </div>`
    }
    !${coverageChart(coverageBars(coverage, clock.now()), context)}
    <p class="meta">
      !${
        first === undefined
          ? ''
          : html`${words.front.firstReported}
            !${moment(first.at, language)}${words.comma}${clipped(first.sourceName, nameCharsMax)}${words.stop}`
      }
      !${
        newest === undefined
          ? ''
          : html`${words.front.latest}
            !${moment(story.latestAt, language)}${words.comma}${clipped(newest.sourceName, nameCharsMax)}${words.stop}`
      }
    </p>
  </article>`;
}

function noLead({ words }: PageContext): string {
  return html`<section>
    <h2 class="headline">${words.front.noLead}</h2>
    <p class="opening">${words.front.noLeadText}</p>
  </section>`;
}

function editionBox(latest: editions.RecordedEdition, context: PageContext): string {
  const { words, href } = context;
  const edition = editions.words.wordEdition(latest, context.language);
  const path = href(publicPaths.editionPath(edition));
  const { own, others } = byReaderLanguage(
    edition.sections.flatMap(({ items }) => items).filter(({ title }) => title !== edition.headline),
    context,
  );
  const heads = [...own, ...others].slice(0, editionLines);
  return html`<section class="edition-box below">
    <div>
      <p class="kick">${words.edition.kick[edition.kind](editionLabel(edition, context.language))}</p>
      <h2 !${langOf(edition.language, context)}>
        <a href="${path}">${clipped(edition.headline, titleCharsMax)}</a>
      </h2>
      !${categoryMix(mixOf(edition), context)}
      <p class="meta"><a href="${path}">${words.front.readEdition[edition.kind]}</a></p>
    </div>
    <ul>
      !${heads.map(
        (item) =>
          html`<li !${langOf(item.language, context)}>
            <a href="${href(publicPaths.itemPath(item.id))}">${clipped(item.title, titleCharsMax)}</a>
          </li>`,
      )}
    </ul>
  </section>`;
}

function correctionsBox(corrections: readonly recorded.RecordedCorrection[], context: PageContext): string {
  const { words, href } = context;
  return html`<section class="front-corrections below" aria-labelledby="corrected">
    <h2 class="rule" id="corrected">${words.front.corrected}</h2>
    !${
      corrections.length === 0
        ? html`<p class="meta">${words.front.noCorrections}</p>`
        : correctionList(corrections, context)
    }
    <p class="meta"><a href="${href('/corrections')}">${words.front.allCorrections}</a></p>
  </section>`;
}
