import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { Id } from '../../foundation/ids.ts';
import { idForm } from '../../foundation/ids.ts';
import { hourMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { languageOfText } from '../../foundation/reader-language.ts';
import type { WordedStory } from '../../news/stories/index.ts';
import { isSettled, storySummary, wordStory } from '../../news/stories/index.ts';
import type { recorded } from '../../record/index.ts';
import { publicPaths, recordCacheTags, storyTag } from '../../record/index.ts';
import { numberIn } from '../shell/words/counts.ts';
import { coverageBars, coverageChart, itemLanes } from './charts.ts';
import { clipped, nameCharsMax, summaryCharsMax, titleCharsMax } from './clipped.ts';
import { digestQuotes } from './digest-quotes.ts';
import { headline } from './headline.ts';
import { moment } from './moments.ts';
import {
  byReaderLanguage,
  citedSentences,
  factsLine,
  interfaceLang,
  langOf,
  externalLink,
  itemNumbers,
  otherLanguageHeading,
  storedMoment,
} from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import { documentHref } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { Moved, SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';
import { reportErrorLink } from './report-error-page.ts';
import { verifyLine } from './verify-page.ts';

const StoryParams = Type.Object({ id: Type.String({ maxLength: 128 }) });

export function storyPage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/story/{id}',
    operationId: 'getStoryPage',
    params: StoryParams,
    problems: [notFound],
    freshness: 'minute',
    resource: ({ params: { id } }, context) => {
      if (!context.storyLayer || !idForm.test(id)) throw new ProblemError(notFound, 'Story not found.');
      return {
        key: `story ${id}`,
        cacheTags: [recordCacheTags.stories],
        edgeTags: [storyTag(id)],
        build: () => buildStoryPage(id as Id<'story'>, context),
      };
    },
  });
}

/** Links to the machine-readable forms and to the error form. */
function otherForms(id: Id<'story'>, context: PageContext): string {
  const { words, href } = context;
  return html`<p class="meta">
    !${factsLine([
      html`<a href="${documentHref(`/api/v1/stories/${id}`, context)}">${words.story.json}</a>`,
      html`<a href="${documentHref(`/agent/stories/${id}.md`, context)}">${words.story.markdown}</a>`,
      reportErrorLink(publicPaths.storyPath(id), context) ??
        html`<a href="${href('/about')}#errors">${words.story.wrong}</a>`,
    ])}
  </p>`;
}

/** The preview picture and the feed of the story. */
function preview(
  { id, title }: recorded.RecordedStory,
  context: PageContext,
): Pick<PublicPage, 'image' | 'feeds'> {
  const path = documentHref(`/feeds/stories/${id}.atom`, context);
  const feed = { title: `Daybook: ${clipped(title, titleCharsMax)}`, path };
  return { image: `/og/story/${id}.png`, feeds: [feed] };
}

async function buildStoryPage(id: Id<'story'>, context: PageContext): Promise<PublicPage | Moved> {
  const [found, coverage] = await Promise.all([context.record.story(id), context.record.storyCoverage(id)]);
  if (found === null) throw new ProblemError(notFound, 'Story not found.');
  if (found.state === 'merged') return { movedTo: publicPaths.storyPath(found.into) };
  const story = wordStory(found.story, [context.language]);
  const { words } = context;
  const numbers = itemNumbers(story.items);
  const settled = isSettled(story, context.clock.now());
  const until = settled ? story.latestAt : context.clock.now();
  const lang = langOf(story.language, context);
  return {
    title: story.title,
    description: storySummary(story),
    language: story.language,
    languages: story.versions.map((version) => version.language),
    path: publicPaths.storyPath(id),
    section: 'hot',
    width: 'wide',
    updatedAt: story.latestAt,
    ...preview(story, context),
    isEmbeddable: true,
    structured: {
      '@type': 'NewsArticle',
      inLanguage: story.language,
      headline: story.title,
      datePublished: isoMilliseconds(story.firstReportAt),
      dateModified: isoMilliseconds(story.latestAt),
      citation: story.items.slice(0, 20).map(({ originalUrl }) => originalUrl),
    },
    main: html`<div class="halves story">
      <article>
        <p class="kick">${settled ? words.story.settled : words.story.active}</p>
        <h1 !${lang}>!${headline(story.title)}</h1>
        !${story.titleBy === 'editor' ? html`<p class="meta">${words.story.titleByEditor}</p>` : ''}
        !${storyFacts(story, context)} !${digestPart(story, numbers, context)}
        !${digestQuotes(story, numbers, context)} !${disagreements(story, numbers, context)}
        <h2>${words.story.when}</h2>
        !${coverageChart(coverageBars(coverage, until), context)} !${itemLanes(coverage, until, context)}
      </article>
      <aside aria-label="${words.story.reports}">
        <h2 class="rule">
          ${words.story.reports}
          <span
            >${
              story.reportCount > story.items.length
                ? words.story.shownOf(story.items.length, story.reportCount)
                : words.story.newestFirst
            }</span
          >
        </h2>
        !${itemLists(story.items, numbers, context)} !${linkedStories(story, context)}
        !${otherForms(id, context)} !${verifyLine(publicPaths.storyPath(id), context)}
      </aside>
    </div>`,
  };
}

function storyFacts(story: recorded.RecordedStory, { words, language, clock }: PageContext): string {
  const { story: messages } = words;
  const hours = (clock.now() - story.firstReportAt) / hourMicroseconds;
  const contradictions = story.digest?.contradictions.length ?? 0;
  const fact = (value: string, label: string): string =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="numbers">
    !${fact(numberIn(language, story.reportCount), messages.reportsLabel(story.reportCount))}
    !${fact(numberIn(language, story.sourceCount), messages.sourcesLabel(story.sourceCount))}
    !${
      contradictions === 0
        ? ''
        : fact(numberIn(language, contradictions), messages.contradictionsLabel(contradictions))
    }
    !${fact(messages.days(Number(hours / 24n), Number(hours % 24n)), messages.since)}
  </dl>`;
}

function digestPart(
  { digest, language }: WordedStory,
  numbers: ReadonlyMap<string, number>,
  context: PageContext,
): string {
  const { words } = context;
  if (digest === null) return html`<p class="hint">${words.story.noDigest}</p>`;
  return html`<div class="digest" !${langOf(language, context)}>
      <p>!${citedSentences(digest.sentences, numbers, context)}</p>
    </div>
    <p class="meta">${words.story.digestUpdated} !${storedMoment(digest.updatedAt, context)}</p>`;
}

/** First and current statements side by side, each with its items. */
function disagreements(
  story: WordedStory,
  numbers: ReadonlyMap<string, number>,
  context: PageContext,
): string {
  const contradictions = story.digest?.contradictions ?? [];
  if (contradictions.length === 0) return '';
  const { words } = context;
  const byId = new Map(story.items.map((item) => [item.id, item]));
  const side = (label: string, ids: readonly Id<'item'>[]): string => {
    const items = ids.map((id) => byId.get(id)).filter((item) => item !== undefined);
    return html`<div>
      <span class="side">${label}</span>
      <ul>
        !${items.slice(0, 4).map(
          (item) =>
            html`<li>
              <span !${langOf(item.language, context)}>${clipped(item.title, titleCharsMax)}</span>
              <span class="meta"
                >${item.sourceName}${words.comma}!${moment(item.publishedAt ?? item.discoveredAt, context.language)}
                <sup><a href="#r${numbers.get(item.id) ?? 0}">${numbers.get(item.id) ?? ''}</a></sup></span
              >
            </li>`,
        )}
      </ul>
    </div>`;
  };
  return html`<section aria-labelledby="disagree">
    <h2 id="disagree">${words.story.disagree}</h2>
    !${contradictions.map(
      ({ statement, earlier, later }) =>
        html`<div class="versus">
          <p !${langOf(story.language, context)}>${clipped(statement, summaryCharsMax)}</p>
          !${side(words.story.saidFirst, earlier)} !${side(words.story.saidNow, later)}
        </div>`,
    )}
  </section>`;
}

/** Reports in another language follow under a heading of their own. */
function itemLists(
  items: readonly recorded.StoryItem[],
  numbers: ReadonlyMap<string, number>,
  context: PageContext,
): string {
  const { own, others } = byReaderLanguage(items, context);
  const list = (some: readonly recorded.StoryItem[]): string =>
    some.length === 0
      ? ''
      : html`<ol class="reports">
          !${some.map((item) => itemEntry(item, numbers.get(item.id) ?? 0, context))}
        </ol>`;
  if (others.length === 0) return list(own);
  return html`!${list(own)}
    <h2 class="rule">${otherLanguageHeading(others, context)}</h2>
    !${list(others)}`;
}

function itemEntry(item: recorded.StoryItem, number: number, context: PageContext): string {
  const { words, href, language } = context;
  return html`<li id="r${number}" data-entry="${item.id}">
    <span class="number">${number}</span>
    <div !${langOf(item.language, context)}>
      <h3><a href="${href(publicPaths.itemPath(item.id))}">${clipped(item.title, titleCharsMax)}</a></h3>
      <div class="meta" !${interfaceLang(item.language, context)}>
        !${factsLine([
          html`${clipped(item.sourceName, nameCharsMax)}`,
          item.firstParty ? html`<span class="tag">${words.firstParty}</span>` : null,
          moment(item.publishedAt ?? item.discoveredAt, language),
          externalLink(item.originalUrl, words.original),
        ])}
      </div>
    </div>
  </li>`;
}

function linkedStories(story: WordedStory, context: PageContext): string {
  const { words, href } = context;
  const storyline = story.links.filter(({ kind }) => kind === 'storyline');
  const related = story.links.filter(({ kind }) => kind === 'related');
  const link = ({ id, title }: recorded.LinkedStory): string =>
    html`<li>
      <a href="${href(publicPaths.storyPath(id))}" !${langOf(languageOfText(title), context)}
        >${clipped(title, titleCharsMax)}</a
      >
    </li>`;
  const line =
    storyline.length === 0
      ? ''
      : html`<h2 class="rule">${words.story.storyline}</h2>
          <ol class="storyline">
            !${storyline.filter(({ isEarlier }) => isEarlier).map(link)}
            <li aria-current="true" !${langOf(story.language, context)}>
              ${clipped(story.title, titleCharsMax)}
            </li>
            !${storyline.filter(({ isEarlier }) => !isEarlier).map(link)}
          </ol>`;
  const others =
    related.length === 0
      ? ''
      : html`<h2 class="rule">${words.story.related}</h2>
          <ul class="plain-list">
            !${related.map(link)}
          </ul>`;
  return line + others;
}
