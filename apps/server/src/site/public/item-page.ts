import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { Id } from '../../foundation/ids.ts';
import { idForm } from '../../foundation/ids.ts';
import { parseIsoInstant } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { languageOfText, readerLanguageOf } from '../../foundation/reader-language.ts';
import { withdrawn } from '../../news/items/index.ts';
import { titleIn } from '../../news/stories/index.ts';
import type { recorded } from '../../record/index.ts';
import { itemTag, items, publicPaths, recordCacheTags } from '../../record/index.ts';
import { clipped, nameCharsMax, summaryCharsMax, titleCharsMax } from './clipped.ts';
import { deviceMarks } from './device-page.ts';
import { headline } from './headline.ts';
import { moment } from './moments.ts';
import {
  byReaderLanguage,
  categoryLink,
  factsLine,
  interfaceLang,
  langOf,
  externalLink,
  otherLanguageHeading,
  reasonLine,
  storedMoment,
} from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';
import { reportErrorLink } from './report-error-page.ts';
import { verifyLine } from './verify-page.ts';

const IdParams = Type.Object({ id: Type.String({ maxLength: 128 }) });

export function itemPage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/items/{id}',
    operationId: 'getItemPage',
    params: IdParams,
    problems: [notFound, withdrawn],
    freshness: 'minute',
    resource: ({ params: { id } }, context) => {
      if (!idForm.test(id)) throw new ProblemError(notFound, 'Item not found.');
      return {
        key: `item ${id}`,
        cacheTags: [recordCacheTags.items, recordCacheTags.stories],
        // It also shows titles of other items of its story.
        edgeTags: [itemTag(id), recordCacheTags.stories],
        build: () => buildItemPage(id as Id<'item'>, context),
      };
    },
  });
}

async function buildItemPage(id: Id<'item'>, context: PageContext): Promise<PublicPage> {
  const { record, words } = context;
  const [found, around] = await Promise.all([record.item(id), record.itemContext(id)]);
  if (found === null || around === null) throw new ProblemError(notFound, 'Item not found.');
  if (found.state === 'withdrawn') throw new ProblemError(withdrawn, 'This item was withdrawn.');
  const storyId = context.storyLayer ? found.storyId : null;
  const item = JSON.parse(items.itemJson({ body: found.body, storyId }, context)) as items.ItemBody;
  const language = readerLanguageOf(item.language, item.title);
  const changed = parseIsoInstant(item.revisedAt ?? item.discoveredAt);
  return {
    title: item.title,
    description: item.summary,
    path: publicPaths.itemPath(id),
    ...(language === null ? {} : { language, languages: [language] }),
    section: 'timeline',
    width: 'column',
    ...(changed.ok ? { updatedAt: changed.value } : {}),
    image: `/og/items/${id}.png`,
    structured: {
      '@type': 'NewsArticle',
      headline: item.title,
      description: item.summary,
      inLanguage: item.language ?? context.language,
      datePublished: item.publishedAt ?? item.discoveredAt,
      dateModified: item.revisedAt ?? item.discoveredAt,
      isBasedOn: item.links.original,
      publisher: { '@type': 'Organization', name: item.source.name },
    },
    main: html`<article class="item-page" !${langOf(item.language, context)}>
        <p class="kick" !${interfaceLang(item.language, context)}>!${categoryLink(item.category, context)}</p>
        <h1>!${headline(item.title)}</h1>
        !${
          item.originalTitle === null || item.originalTitle === item.title
            ? ''
            : html`<p class="meta">
                <span !${interfaceLang(item.language, context)}>${words.item.originalTitle}:</span>
                ${item.originalTitle}
              </p>`
        }
        <p class="opening">${clipped(item.summary, summaryCharsMax)}</p>
        <div !${interfaceLang(item.language, context)}>
          <p class="meta">!${factsLine(facts(item, around, context))}</p>
          !${reasonLine(item, context)}
          !${item.textRemoved === true ? html`<p class="meta">${words.item.textRemoved}</p>` : ''}
          <p>!${externalLink(item.links.original, `${words.original}: ${item.source.name}`)}</p>
          !${deviceMarks({ title: clipped(item.title, titleCharsMax), sourceName: item.source.name }, context)}
        </div>
      </article>
      !${storyBox(storyId === null ? null : around.story, context)} !${sameFactBox(around.sameFact, context)}
      <p class="meta">
        !${factsLine([
          html`<a href="/api/v1/items/${id}">${words.item.json}</a>`,
          reportErrorLink(publicPaths.itemPath(id), context),
        ])}
      </p>
      !${verifyLine(publicPaths.itemPath(id), context)}`,
  };
}

function facts(
  item: items.ItemBody,
  { source }: recorded.ItemContext,
  context: PageContext,
): readonly (string | null)[] {
  const { words } = context;
  const published =
    item.publishedAt === null
      ? html`${words.item.published}: ${words.item.noDate}`
      : html`${words.item.published} !${storedMoment(item.publishedAt, context)}`;
  return [
    source.homepageUrl === null
      ? html`${clipped(source.name, nameCharsMax)}`
      : externalLink(source.homepageUrl, source.name),
    source.firstParty ? html`<span class="tag">${words.firstParty}</span>` : null,
    published,
    html`${words.item.received} !${storedMoment(item.discoveredAt, context)}`,
    item.revisedAt === null ? null : html`${words.revised} !${storedMoment(item.revisedAt, context)}`,
  ];
}

function storyBox(story: recorded.ItemContext['story'], context: PageContext): string {
  if (story === null) return '';
  const { words, href, language } = context;
  const title = titleIn(story, [language]);
  return html`<section class="box">
    <h2>${words.item.story}</h2>
    <p>
      <a href="${href(publicPaths.storyPath(story.id))}" !${langOf(languageOfText(title), context)}
        >${clipped(title, titleCharsMax)}</a
      >
    </p>
    <p class="meta">
      !${factsLine([html`${words.reports(story.reportCount)}`, html`${words.sources(story.sourceCount)}`])}
    </p>
  </section>`;
}

function sameFactBox(others: recorded.ItemContext['sameFact'], context: PageContext): string {
  if (others.length === 0) return '';
  const { words, href, language } = context;
  const list = (some: recorded.ItemContext['sameFact']): string =>
    html`<ul class="plain-list">
      !${some.map(
        (other) =>
          html`<li data-entry="${other.id}">
            <a href="${href(publicPaths.itemPath(other.id))}" !${langOf(other.language, context)}
              >${clipped(other.title, titleCharsMax)}</a
            >
            <div class="meta">
              !${factsLine([html`${clipped(other.sourceName, nameCharsMax)}`, moment(other.discoveredAt, language)])}
            </div>
          </li>`,
      )}
    </ul>`;
  const parts = byReaderLanguage(others, context);
  return html`<section>
    <h2 class="rule">${words.item.sameFact}</h2>
    !${parts.own.length === 0 ? '' : list(parts.own)}
    !${
      parts.others.length === 0
        ? ''
        : html`<p class="day-name">${otherLanguageHeading(parts.others, context)}</p>
            !${list(parts.others)}`
    }
  </section>`;
}
