import { html } from 'ghtml';

import { hourMs } from '../../foundation/clock.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { recorded } from '../../record/index.ts';
import { editions, publicPaths, recordCacheTags } from '../../record/index.ts';
import { categoryMix } from './charts.ts';
import { clipped, titleCharsMax } from './clipped.ts';
import { correctionList } from './corrections-page.ts';
import { editionLabel, mixOf } from './edition-parts.ts';
import type { Section } from './front-columns.ts';
import { fillColumns, linesOf } from './front-columns.ts';
import { readTopStories, topStories } from './front-stories.ts';
import { frontTimeline, quietNote, readFrontTimeline, readNewest, savedSection } from './front-timeline.ts';
import type { Hot } from './hot-list.ts';
import { hotList, readHot } from './hot-list.ts';
import { clockTime } from './moments.ts';
import { byReaderLanguage, langOf } from './news-parts.ts';
import { otherLanguageList, readOtherLanguage } from './other-language.ts';
import type { PageContext } from './page-context.ts';
import { itemListHref } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

const correctionsShown = 3;
const editionLines = 5;
/** With fewer ranked stories, the dailies of the week are beside the lead. */
const hotFew = 3;
const daysShown = 7;
const staleAfterMs = 3 * hourMs;

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
    readFrontTimeline(context),
    readOtherLanguage(context, (language, count) => readNewest(context, 'selected', count, language)),
    record.edition('daily', 'latest'),
    record.corrections({ after: null, rowsMax: correctionsShown, withStories: storyLayer }),
    record.newestItemAt(),
  ]);
  const stories = await readTopStories(hot.entries, context);
  const [top, aside] = await Promise.all([topStories(stories, context), asideOf(hot, context)]);
  const filled = fillColumns({ left: top.height, right: aside.height }, [
    ...(edition === null ? [] : [editionBox(edition, context)]),
    correctionsBox(corrections, context),
  ]);
  return {
    title: words.tagline,
    description: words.description,
    path: '/',
    section: 'front',
    isFront: true,
    width: 'wide',
    updatedAt: newestAt,
    staleAfterMs,
    image: '/og/front.png',
    feeds: [
      { title: `Daybook: ${words.timeline.selected}`, path: itemListHref('/feeds/selected.atom', context) },
      { title: `Daybook: ${words.timeline.selected}`, path: itemListHref('/feeds/selected.json', context) },
    ],
    structured: { '@type': 'WebSite', description: words.description },
    main: html`<h1 class="hidden">${words.tagline}</h1>
      !${quietNote(items, context)}
      <div class="halves">
        <div>!${top.html} !${filled.left}</div>
        <aside>!${aside.html} !${filled.right}</aside>
      </div>
      !${savedSection(context)} !${frontTimeline(items, context)} !${filled.below}
      !${otherLanguageList(others, '/', context)}`,
  };
}

interface Column {
  readonly html: string;
  readonly height: number;
}

async function asideOf(hot: Hot, context: PageContext): Promise<Column> {
  if (hot.entries.length >= hotFew) return hotNow(hot, context);
  const days = await context.record.editionEntries('daily', daysShown);
  return days.length < 2 ? hotNow(hot, context) : recentDays(days, context);
}

function hotNow(hot: Hot, context: PageContext): Column {
  const { words } = context;
  const heights = hot.entries.map(({ item }) => linesOf(item.title, 38) * 22 + 50);
  return {
    height: heights.reduce((sum, height) => sum + height, 100),
    html: html`<section aria-labelledby="hot-now">
      <h2 class="rule" id="hot-now">
        ${words.front.hot}
        <span>!${hot.rankedAt === null ? '' : html`${words.front.ranked} !${clockTime(hot.rankedAt)}`}</span>
      </h2>
      !${hotList(hot.entries, context, 3)}
      <p class="meta"><a href="${context.href('/hot')}">${words.front.allTen}</a></p>
    </section>`,
  };
}

/** The dailies of the last days, with their headlines. */
function recentDays(recorded: readonly editions.EditionEntry[], context: PageContext): Column {
  const { words, href, language } = context;
  const days = recorded.map((entry) => {
    const worded = editions.words.wordEntry(entry, language);
    return { ...worded, title: worded.headline };
  });
  const { own, others } = byReaderLanguage(days, context);
  return {
    height: days.reduce((sum, { title }) => sum + linesOf(title, 44) * 23 + 42, 80),
    html: html`<section aria-labelledby="days">
      <h2 class="rule" id="days">${words.front.days}</h2>
      <ul class="plain-list">
        !${[...own, ...others].map(
          (day) =>
            html`<li data-entry="${day.period}">
              <a href="${href(publicPaths.editionPath(day))}" !${langOf(day.language, context)}
                >${clipped(day.title, titleCharsMax)}</a
              >
              <div class="meta">${editionLabel(day, language)}</div>
            </li>`,
        )}
      </ul>
      <p class="meta"><a href="${href('/daily/archive')}">${words.edition.archive.daily}</a></p>
    </section>`,
  };
}

/** Its headline, and five entries in the language of the page. */
function editionBox(latest: editions.RecordedEdition, context: PageContext): Section {
  const { words, href } = context;
  const edition = editions.words.wordEdition(latest, context.language);
  const path = href(publicPaths.editionPath(edition));
  const entries = [...edition.sections.flatMap(({ items }) => items), ...edition.flashes];
  const heads = byReaderLanguage(entries, context)
    .own.filter(({ title }) => title !== edition.headline)
    .slice(0, editionLines);
  const rows = (perLine: number): number =>
    heads.reduce((sum, { title }) => sum + linesOf(title, perLine) * 23 + 13, 0);
  const head = linesOf(edition.headline, 34) * 27 + 125;
  return {
    heights: {
      left: (heads.length === 0 ? head : Math.max(head, rows(42))) + 60,
      right: head + rows(44) + 80,
    },
    render: (place) =>
      html`<section class="edition-box ${place === 'right' || heads.length === 0 ? 'narrow' : ''} ${place}">
        <div>
          <p class="kick">${words.edition.kick[edition.kind](editionLabel(edition, context.language))}</p>
          <h2 !${langOf(edition.language, context)}>
            <a href="${path}">${clipped(edition.headline, titleCharsMax)}</a>
          </h2>
          !${categoryMix(mixOf(edition), context)}
          <p class="meta"><a href="${path}">${words.front.readEdition[edition.kind]}</a></p>
        </div>
        !${
          heads.length === 0
            ? ''
            : html`<ul>
                !${heads.map(
                  (item) =>
                    html`<li !${langOf(item.language, context)}>
                      <a href="${href(publicPaths.itemPath(item.id))}"
                        >${clipped(item.title, titleCharsMax)}</a
                      >
                    </li>`,
                )}
              </ul>`
        }
      </section>`,
  };
}

function correctionsBox(corrections: readonly recorded.RecordedCorrection[], context: PageContext): Section {
  const { words, href } = context;
  const height = 80 + corrections.length * 110;
  return {
    heights: { left: height, right: height },
    render: (place) =>
      html`<section class="front-corrections ${place}" aria-labelledby="corrected">
        <h2 class="rule" id="corrected">${words.front.corrected}</h2>
        !${
          corrections.length === 0
            ? html`<p class="meta">${words.front.noCorrections}</p>`
            : correctionList(corrections, context)
        }
        <p class="meta"><a href="${href('/corrections')}">${words.front.allCorrections}</a></p>
      </section>`,
  };
}
