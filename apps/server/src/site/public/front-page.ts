import { html } from 'ghtml';

import { hourMs } from '../../foundation/clock.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { WordedStory } from '../../news/index.ts';
import { wordStory } from '../../news/index.ts';
import { readItemsPage, readItemsQuery } from '../../news/items/index.ts';
import type { editions, recorded } from '../../record/index.ts';
import { publicPaths, recordCacheTags } from '../../record/index.ts';
import { categoryMix, coverageBars, coverageChart } from './charts.ts';
import { clipped, nameCharsMax, summaryCharsMax, titleCharsMax } from './clipped.ts';
import { correctionList } from './corrections-page.ts';
import { editionLabel, mixOf } from './edition-parts.ts';
import { hotList, readHot } from './hot-list.ts';
import { clockTime, moment } from './moments.ts';
import { citedSentences, langOf, itemNumbers, shownItems, timelineList } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

const hotShown = 5;
const timelineShown = 12;
const correctionsShown = 3;
const leadSentences = 4;
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
  const { record, clock, words, storyLayer } = context;
  const query = readItemsQuery({ mode: 'selected', window: '24h', by: 'timeline', limit: timelineShown });
  const [hot, page, edition, corrections, newestAt] = await Promise.all([
    readHot(context),
    readItemsPage({ record, clock }, query, null, timelineShown),
    record.edition('daily', 'latest'),
    record.corrections({ after: null, rowsMax: correctionsShown, withStories: storyLayer }),
    record.newestItemAt(),
  ]);
  const leadId = hot.entries.find(({ item }) => item.storyId !== null)?.item.storyId ?? null;
  const lead = leadId === null || !storyLayer ? null : await readLead(leadId, context);
  const items = await shownItems(page.items, context);
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
      { title: `Daybook: ${words.timeline.selected}`, path: '/feeds/selected.atom' },
      { title: `Daybook: ${words.timeline.selected}`, path: '/feeds/selected.json' },
    ],
    structured: { '@type': 'WebSite', description: words.description },
    main: html`<h1 class="hidden">${words.tagline}</h1>
      <div class="halves">
        !${lead === null ? noLead(context) : leadStory(lead, context)}
        <aside aria-labelledby="hot-now">
          <h2 class="rule" id="hot-now">
            ${words.front.hot}
            <span
              >!${hot.rankedAt === null ? '' : html`${words.front.ranked} !${clockTime(hot.rankedAt)}`}</span
            >
          </h2>
          !${hotList(hot.entries.slice(0, hotShown), context, 3)}
          <p class="meta"><a href="${context.href('/hot')}">${words.front.allTen}</a></p>
        </aside>
      </div>
      <div class="halves below">
        <section aria-labelledby="timeline">
          <h2 class="rule" id="timeline">${words.front.timeline} <span>${words.front.timelineNote}</span></h2>
          <p class="fresh" aria-live="polite">
            <a href="${context.href('/')}" data-new-items="/api/v1/items?limit=20" hidden></a>
          </p>
          !${items.length === 0 ? html`<p class="empty">${words.front.empty}</p>` : timelineList(items, context, { level: 3 })}
          <p class="meta"><a href="${context.href('/timeline')}">${words.front.whole}</a></p>
        </section>
        <aside aria-label="${words.edition.the.daily}">
          !${edition === null ? '' : editionBox(edition, context)} !${correctionsBox(corrections, context)}
        </aside>
      </div>`,
  };
}

interface Lead {
  readonly story: WordedStory;
  readonly coverage: readonly recorded.CoverageItem[];
}

async function readLead(
  id: NonNullable<recorded.RankedItem['storyId']>,
  { record, language }: PageContext,
): Promise<Lead | null> {
  const [found, coverage] = await Promise.all([record.story(id), record.storyCoverage(id)]);
  return found?.state === 'standing' ? { story: wordStory(found.story, [language]), coverage } : null;
}

function leadStory({ story, coverage }: Lead, context: PageContext): string {
  const { words, href, language, clock } = context;
  const path = href(publicPaths.storyPath(story.id));
  const numbers = itemNumbers(story.items);
  const [newest] = story.items;
  const [first] = coverage;
  const lang = langOf(story.language, context);
  const contradiction = story.digest?.contradictions[0];
  return html`<article class="lead-story">
    <p class="kick">
      ${words.front.kick}, ${words.reports(story.reportCount)}, ${words.sources(story.sourceCount)}
    </p>
    <h2 class="headline" !${lang}><a href="${path}">${clipped(story.title, titleCharsMax)}</a></h2>
    !${
      story.digest === null
        ? html`<p class="opening" !${lang}>${clipped(newest?.summary ?? '', summaryCharsMax)}</p>`
        : html`<p class="opening" !${lang}>
            !${citedSentences(story.digest.sentences.slice(0, leadSentences), numbers, context, path)}
          </p>`
    }
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
          : html`${words.front.firstReported} !${moment(first.at, language)},
            ${clipped(first.sourceName, nameCharsMax)}. `
      }
      !${
        newest === undefined
          ? ''
          : html`${words.front.latest} !${moment(story.latestAt, language)},
            ${clipped(newest.sourceName, nameCharsMax)}.`
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

function editionBox(edition: editions.RecordedEdition, context: PageContext): string {
  const { words, href } = context;
  const path = href(publicPaths.editionPath(edition));
  const heads = edition.sections.flatMap(({ items }) => items).slice(0, 4);
  return html`<section class="edition-box">
    <p class="kick">${words.edition.kick[edition.kind](editionLabel(edition, context.language))}</p>
    <h2><a href="${path}">${clipped(edition.headline, titleCharsMax)}</a></h2>
    !${categoryMix(mixOf(edition), context)}
    <ul>
      !${heads.map(
        (item) =>
          html`<li !${langOf(item.language, context)}>
            <a href="${href(publicPaths.itemPath(item.id))}">${clipped(item.title, titleCharsMax)}</a>
          </li>`,
      )}
    </ul>
    <p class="meta"><a href="${path}">${words.front.readEdition[edition.kind]}</a></p>
  </section>`;
}

function correctionsBox(corrections: readonly recorded.RecordedCorrection[], context: PageContext): string {
  const { words, href } = context;
  return html`<section aria-labelledby="corrected">
    <h2 class="rule" id="corrected">${words.front.corrected}</h2>
    !${
      corrections.length === 0
        ? html`<p class="meta">${words.front.noCorrections}</p>`
        : correctionList(corrections, context)
    }
    <p class="meta"><a href="${href('/corrections')}">${words.front.allCorrections}</a></p>
  </section>`;
}
