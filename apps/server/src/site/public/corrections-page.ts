import { html } from 'ghtml';
import { Type } from 'typebox';

import { invalidCursor } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { correctedPath, readCorrectionPage, readCorrectionPosition } from '../../news/corrections/index.ts';
import type { recorded } from '../../record/index.ts';
import { corrections as records, publicPaths, recordCacheTags } from '../../record/index.ts';
import { clipped, nameCharsMax } from './clipped.ts';
import { moment } from './moments.ts';
import { categoryLink, factsLine } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import { documentHref } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';
import { reportErrorLink } from './report-error-page.ts';

const pageSize = 50;
const path = '/corrections';

export function correctionsPage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path,
    operationId: 'getCorrectionsPage',
    query: Type.Object({ cursor: Type.Optional(Type.String()) }, { additionalProperties: true }),
    problems: [invalidCursor],
    freshness: 'minute',
    resource: ({ query: { cursor } }, context) => {
      const after = readCorrectionPosition(cursor);
      return {
        key: `corrections ${cursor ?? ''}`,
        cacheTags: [recordCacheTags.corrections],
        build: async () =>
          presented(await readCorrectionPage(context, after, pageSize), after !== null, context),
      };
    },
  });
}

function presented(
  { corrections, nextCursor }: Awaited<ReturnType<typeof readCorrectionPage>>,
  isLater: boolean,
  context: PageContext,
): PublicPage {
  const { words, href } = context;
  const { correctionsPage: messages } = words;
  const older = nextCursor === null ? null : href(`${path}?cursor=${nextCursor}`);
  return {
    title: messages.title,
    description: messages.lead,
    path,
    width: 'column',
    updatedAt: isLater ? null : (corrections[0]?.at ?? null),
    isUnlisted: isLater,
    feeds: [{ title: `Daybook: ${messages.title}`, path: documentHref('/feeds/corrections.atom', context) }],
    main: html`<h1>${messages.title}</h1>
      <p class="lead">${messages.lead}</p>
      <p class="meta">
        !${factsLine([
          html`<a href="${documentHref('/feeds/corrections.atom', context)}">${words.edition.feed}</a>`,
          reportErrorLink('', context),
        ])}
      </p>
      !${corrections.length === 0 ? html`<p class="empty">${messages.none}</p>` : correctionList(corrections, context)}
      <nav class="pager" aria-label="${messages.title}">
        !${isLater ? html`<a href="${href(path)}">${words.timeline.newest}</a>` : ''}
        !${older === null ? '' : html`<a class="button" href="${older}" rel="next">${messages.older}</a>`}
      </nav>`,
  };
}

/** Each with its id as anchor, to which the feed's entries link. */
export function correctionList(
  corrections: readonly recorded.RecordedCorrection[],
  context: PageContext,
): string {
  const { words, href, language } = context;
  const { correctionsPage: messages } = words;
  return html`<ul class="corrections">
    !${corrections.map((one) => {
      const subjectPath = correctedPath(one);
      const what = `${messages.kinds[one.subject.kind]}${messages.join}${messages.actions[one.action]}`;
      return html`<li id="${one.id}">
        !${subjectPath === null ? html`${what}` : html`<a href="${href(subjectPath)}">${what}</a>`}${messages.colon}${records.wordCorrectionReason(one.reason, language).reason}
        !${correctedItem(one, context)}
        <div class="meta">!${factsLine([moment(one.at, language), placesOf(one, context)])}</div>
      </li>`;
    })}
  </ul>`;
}

/** Source, category and date of the item, never the words of a withdrawn one. */
function correctedItem({ item }: recorded.RecordedCorrection, context: PageContext): string {
  if (item === null) return '';
  const { words, language } = context;
  return html`<div class="meta">
    !${factsLine([
      html`${clipped(item.sourceName, nameCharsMax)}`,
      categoryLink(item.category, context),
      html`${words.item.published} !${moment(item.publishedAt, language)}`,
    ])}
  </div>`;
}

/** The editions that showed it, and the story it was part of. */
function placesOf(
  { editions, item }: recorded.RecordedCorrection,
  { words, href }: PageContext,
): string | null {
  const links = editions.map(
    (edition) =>
      html`<a href="${href(publicPaths.editionPath(edition))}"
        >${words.edition.the[edition.kind]} ${edition.period}</a
      >`,
  );
  const storyId = item?.storyId ?? null;
  if (storyId !== null)
    links.push(html`<a href="${href(publicPaths.storyPath(storyId))}">${words.correctionsPage.story}</a>`);
  return links.length === 0 ? null : html`${words.correctionsPage.shownIn} !${links.join(words.comma)}`;
}
