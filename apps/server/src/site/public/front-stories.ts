import { html } from 'ghtml';

import type { Id } from '../../foundation/ids.ts';
import type { WordedStory } from '../../news/stories/index.ts';
import { wordStory } from '../../news/stories/index.ts';
import { publicPaths } from '../../record/index.ts';
import { coverageBars, coverageChart } from './charts.ts';
import { clipped, nameCharsMax } from './clipped.ts';
import { linesOf } from './front-columns.ts';
import { headline } from './headline.ts';
import type { HotEntry } from './hot-list.ts';
import { moment } from './moments.ts';
import { citedSentences, itemNumbers, langOf } from './news-parts.ts';
import type { PageContext } from './page-context.ts';

const leadSentences = 4;
const secondSentences = 2;
/** The lead and the stories below it. */
const storiesShown = 4;
/** The number of stories read to fill the page on a quiet day. */
const recentStoriesRead = 24;

/** The highest-ranked stories that have a digest in the language of the page; on a quiet day recent ones follow. */
export async function readTopStories(
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

/** The lead, the stories below it, and about how high they are on a wide page. */
export async function topStories(
  stories: readonly WordedStory[],
  context: PageContext,
): Promise<{ readonly html: string; readonly height: number }> {
  const [lead, ...second] = stories;
  if (lead === undefined) return { html: noLead(context), height: 120 };
  return {
    html: html`!${await leadStory(lead, context)}
    !${second.length === 0 ? '' : secondStories(second, context)}`,
    height: heightOf(lead, second),
  };
}

function heightOf(lead: WordedStory, second: readonly WordedStory[]): number {
  const text = ({ digest }: WordedStory, sentences: number): string =>
    (digest?.sentences ?? [])
      .slice(0, sentences)
      .map((sentence) => sentence.text)
      .join(' ');
  const isDisputed = (lead.digest?.contradictions.length ?? 0) > 0;
  const leadHeight =
    linesOf(lead.title, 34) * 48 + linesOf(text(lead, leadSentences), 70) * 30 + (isDisputed ? 130 : 0) + 150;
  const heights = second.map(
    (story) => linesOf(story.title, 20) * 25 + linesOf(text(story, secondSentences), 22) * 26 + 85,
  );
  return leadHeight + Math.max(0, ...heights);
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
        <h2 !${lang}><a href="${path}">!${headline(story.title)}</a></h2>
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
    <h2 class="headline" !${lang}><a href="${path}">!${headline(story.title)}</a></h2>
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
