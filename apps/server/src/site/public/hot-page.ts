import { html } from 'ghtml';

import { hourMs } from '../../foundation/clock.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { recordCacheTags } from '../../record/index.ts';
import type { RankLine } from './charts.ts';
import { rankChart } from './charts.ts';
import { clipped, titleCharsMax } from './clipped.ts';
import type { Hot } from './hot-list.ts';
import { hotList, rankKey, readHot } from './hot-list.ts';
import { langOf } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

const hoursShown = 24;

export function hotPage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/hot',
    operationId: 'getHotPage',
    freshness: 'minute',
    resource: (_input, context) => ({
      key: 'hot',
      cacheTags: [recordCacheTags.hotTopics, recordCacheTags.stories, recordCacheTags.items],
      build: () => buildHotPage(context),
    }),
  });
}

async function buildHotPage(context: PageContext): Promise<PublicPage> {
  const { words } = context;
  const hot = await readHot(context);
  const lines = hot.rankedAt === null ? [] : await readRankLines(hot, hot.rankedAt, context);
  return {
    title: words.hot.title,
    description: words.hot.lead,
    path: '/hot',
    section: 'hot',
    width: 'wide',
    updatedAt: hot.rankedAt,
    image: '/og/hot.png',
    isEmbeddable: true,
    main: html`<h1>${words.hot.title}</h1>
      <p class="lead">${words.hot.lead}</p>
      <div class="halves">
        <section>
          <h2 class="rule">${words.hot.ten} <span>${words.hot.since}</span></h2>
          !${hotList(hot.entries, context, 3)}
        </section>
        <aside aria-label="${words.hot.how}">
          !${lines.length === 0 ? '' : rankHistory(hot, lines, context)}
          <h2 class="rule">${words.hot.how}</h2>
          <p>${words.hot.howText}</p>
        </aside>
      </div>`,
  };
}

function rankHistory({ entries }: Hot, lines: readonly RankLine[], context: PageContext): string {
  return html`<h2 class="rule">${context.words.hot.chart}</h2>
    !${rankChart(lines, hoursShown, context)}
    <ol class="line-names">
      !${lines.map(
        ({ label }, index) =>
          html`<li !${langOf(entries[index]?.item.language ?? null, context)}>
            <svg width="18" height="10" aria-hidden="true">
              <path class="line l${index}" d="M0 5H18" />
            </svg>
            ${label}
          </li>`,
      )}
    </ol>`;
}

/** The rank of each of the ten, hour by hour. */
async function readRankLines(
  { entries }: Hot,
  rankedAt: EpochMicroseconds,
  { record }: PageContext,
): Promise<readonly RankLine[]> {
  const spans = Array.from({ length: hoursShown + 1 }, (_, index) => {
    const to = addMs(rankedAt, (index - hoursShown) * hourMs + 1);
    return { from: addMs(to, -hourMs), to };
  });
  const looks = await record.rankPositions(spans);
  return entries.map(({ item }) => ({
    label: clipped(item.title, titleCharsMax),
    ranks: looks.map(({ ranks }) => ranks.get(rankKey(item)) ?? null),
  }));
}
