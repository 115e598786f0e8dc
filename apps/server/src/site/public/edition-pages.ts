import { html } from 'ghtml';
import { Type } from 'typebox';

import { invalidRequest, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { EditionDefinition } from '../../news/editions/index.ts';
import { dailyEditions, monthlyEditions, weeklyEditions } from '../../news/editions/index.ts';
import { editions, editionTag, publicPaths, recordCacheTags } from '../../record/index.ts';
import { categoryMix } from './charts.ts';
import { clipped, nameCharsMax, summaryCharsMax, titleCharsMax } from './clipped.ts';
import { editionArchive, editionCalendarPart } from './edition-calendar.ts';
import { editionLabel, mixOf } from './edition-parts.ts';
import { headline } from './headline.ts';
import { moment } from './moments.ts';
import { byReaderLanguage, factsLine, langOf, otherLanguageHeading, storyLink } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import { documentHref } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';
import { verifyLine } from './verify-page.ts';

const definitions = [dailyEditions, weeklyEditions, monthlyEditions];
const archiveMax = 400;

export function editionPages(tools: SiteTools): readonly RouteDeclaration[] {
  return definitions.flatMap((definition) => [
    ...latestPage(tools, definition),
    ...archivePage(tools, definition),
    ...datedPage(tools, definition),
  ]);
}

function latestPage(
  tools: SiteTools,
  { kind, latestFreshness }: EditionDefinition,
): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: `/${kind}`,
    operationId: `getLatest_${kind}_page`,
    freshness: latestFreshness,
    resource: (_input, context) => ({
      key: `edition ${kind} latest`,
      cacheTags: [recordCacheTags.editions],
      build: async () => {
        const edition = await context.record.edition(kind, 'latest');
        return edition === null ? noEdition(kind, context) : editionPage(edition, context);
      },
    }),
  });
}

function datedPage(tools: SiteTools, definition: EditionDefinition): readonly RouteDeclaration[] {
  const { kind } = definition;
  return definePublicPage(tools, {
    path: `/${kind}/{period}`,
    operationId: `getDated_${kind}_page`,
    params: Type.Object({ period: Type.String({ maxLength: 16 }) }),
    problems: [notFound, invalidRequest],
    freshness: 'five-minutes',
    resource: ({ params: { period } }, context) => {
      const missing = new ProblemError(notFound, `No ${kind} report for this period.`);
      if (!definition.isLabel(period)) throw missing;
      return {
        key: `edition ${kind} ${period}`,
        cacheTags: [recordCacheTags.editions],
        edgeTags: [editionTag({ kind, period })],
        build: async () => {
          const edition = await context.record.edition(kind, period);
          if (edition === null) throw missing;
          return editionPage(edition, context);
        },
      };
    },
  });
}

function archivePage(
  tools: SiteTools,
  { kind, indexFreshness }: EditionDefinition,
): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: `/${kind}/archive`,
    operationId: `getArchive_${kind}_page`,
    freshness: indexFreshness,
    resource: (_input, context) => ({
      key: `archive ${kind}`,
      cacheTags: [recordCacheTags.editions],
      build: async (): Promise<PublicPage> => {
        const { words } = context;
        const entries = await context.record.editionEntries(kind, archiveMax);
        return {
          title: words.edition.archive[kind],
          description: words.edition.when[kind],
          path: `/${kind}/archive`,
          section: kind,
          width: 'wide',
          main: html`<h1>${words.edition.archive[kind]}</h1>
            <p class="lead">${words.edition.when[kind]}</p>
            !${editionArchive(entries, context)}`,
        };
      },
    }),
  });
}

function apiPlural(kind: editions.EditionKind): string {
  return definitions.find((definition) => definition.kind === kind)?.plural ?? '';
}

function noEdition(kind: editions.EditionKind, { words }: PageContext): PublicPage {
  return {
    title: words.edition.the[kind],
    description: words.edition.none,
    path: `/${kind}`,
    section: kind,
    width: 'column',
    main: html`<h1>${words.edition.the[kind]}</h1>
      <p class="lead">${words.edition.none}</p>
      <p>${words.edition.when[kind]}</p>`,
  };
}

/** The page of a report, published or not. */
export async function editionPage(
  recorded: editions.RecordedEdition,
  context: PageContext,
): Promise<PublicPage> {
  const { words, language } = context;
  const edition = editions.words.wordEdition(recorded, language);
  const { kind } = edition;
  const label = editionLabel(edition, language);
  const path = publicPaths.editionPath(edition);
  const feed = {
    title: `Daybook: ${words.edition.the[kind]}`,
    path: documentHref(`/feeds/${kind}.atom`, context),
  };
  const lang = langOf(edition.language, context);
  return {
    title: edition.headline,
    description: edition.overview,
    language: edition.language,
    languages: [recorded.language, ...recorded.versions.map((version) => version.language)].sort(),
    path,
    section: kind,
    width: 'wide',
    updatedAt: edition.generatedAt,
    image: `/og/${kind}/${edition.period}.png`,
    feeds: [feed],
    structured: {
      '@type': 'NewsArticle',
      headline: edition.headline,
      description: edition.overview,
      dateModified: isoMilliseconds(edition.generatedAt),
    },
    main: html`<div class="sheet">
      <aside class="calendar-side" aria-label="${words.edition.archive[kind]}">
        !${await editionCalendarPart(edition, context)} !${contentsList(edition, context)}
      </aside>
      <article>
        <p class="kick">${words.edition.kick[kind](label)}</p>
        <h1 !${lang}>!${headline(edition.headline)}</h1>
        <p class="overview" !${lang}>${clipped(edition.overview, summaryCharsMax)}</p>
        <p class="meta">
          ${words.edition.covers} !${moment(edition.windowStart, language)} ${words.edition.to}
          !${moment(edition.windowEnd, language)}${words.stop}${words.edition.revision(edition.revision)}${words.comma}!${moment(edition.generatedAt, language)}${words.stop}
        </p>
        !${editorsNotes(edition, context)} !${fillNote(edition, context)}
        !${categoryMix(mixOf(edition), context)} !${sections(edition, context)}
      </article>
      <aside aria-label="${words.edition.flashes}">
        !${corrections(edition, context)} !${flashes(edition, context)}
        !${otherForms(edition, feed.path, context)} !${verifyLine(path, context)}
      </aside>
    </div>`,
  };
}

/** The same report as feed, JSON, Markdown and mail. */
function otherForms(
  { kind, period }: editions.RecordedEdition,
  feedPath: string,
  context: PageContext,
): string {
  const { words } = context;
  return html`<p class="meta">
    ${words.edition.forms}:
    !${factsLine([
      html`<a href="${feedPath}">${words.edition.feed}</a>`,
      html`<a href="${documentHref(`/api/v1/${apiPlural(kind)}/${period}`, context)}">JSON</a>`,
      html`<a href="${documentHref(`/agent/${kind}/${period}.md`, context)}">Markdown</a>`,
      context.offersMail && kind !== 'monthly'
        ? html`<a href="${context.href('/subscribe')}">${words.edition.mail}</a>`
        : null,
    ])}
  </p>`;
}

function editorsNotes({ notes }: editions.RecordedEdition, context: PageContext): string {
  return notes
    .map(
      ({ language, text }) =>
        html`<div class="note" !${langOf(language, context)}>
          <b>${context.words.edition.editorsNote}</b>
          ${clipped(text, summaryCharsMax)}
        </div>`,
    )
    .join('');
}

/** A report with few selected stories names the entries that fill it up. */
function fillNote(
  { unselectedCount, sections: parts }: editions.RecordedEdition,
  { words }: PageContext,
): string {
  if (unselectedCount === 0) return '';
  const entries = parts.reduce((sum, { items }) => sum + items.length, 0);
  return html`<p class="meta">${words.edition.filled(unselectedCount, entries)}</p>`;
}

function contentsList(
  { sections: parts, flashes: short }: editions.RecordedEdition,
  { words }: PageContext,
): string {
  const entries = [
    ...parts.map(({ key, items }) => [`#${key}`, words.categories[key] ?? key, items.length] as const),
    ...(short.length === 0 ? [] : [['#flashes', words.edition.flashes, short.length] as const]),
  ];
  return html`<ul class="contents">
    !${entries.map(([href, label, count]) => html`<li><a href="${href}">${label}</a> <span>${count}</span></li>`)}
  </ul>`;
}

interface NumberedItem extends editions.CitedItem {
  /** Its place in the edition, the same in all languages. */
  readonly number: number;
}

/** Entries in another language follow at the end of their section, with their titles alone. */
function sections({ sections: parts }: editions.RecordedEdition, context: PageContext): string {
  const { words } = context;
  let number = 0;
  return parts
    .map(({ key, label, items }) => {
      const numbered = items.map((item) => ({ ...item, number: (number += 1) }));
      const { own, others } = byReaderLanguage(numbered, context);
      return html`<section aria-labelledby="${key}">
        <h2 class="rule" id="${key}">${words.categories[key] ?? label}</h2>
        !${own.length === 0 ? '' : entryList(own, context, true)}
        !${
          others.length === 0
            ? ''
            : html`<p class="day-name">${otherLanguageHeading(others, context)}</p>
                !${entryList(others, context, false)}`
        }
      </section>`;
    })
    .join('');
}

function entryList(items: readonly NumberedItem[], context: PageContext, isOwn: boolean): string {
  return html`<ol class="entries">
    !${items.map(
      (item) =>
        html`<li data-entry="${item.id}">
          <span class="number">${item.number}</span>
          <div !${langOf(item.language, context)}>
            <h3>
              <a href="${context.href(publicPaths.itemPath(item.id))}"
                >${clipped(item.title, titleCharsMax)}</a
              >
            </h3>
            !${
              isOwn
                ? html`<p>${clipped(item.summary, summaryCharsMax)}</p>
                    <div class="meta">
                      !${factsLine([html`${clipped(item.sourceName, nameCharsMax)}`, storyOf(item, context)])}
                    </div>`
                : ''
            }
          </div>
        </li>`,
    )}
  </ol>`;
}

/** The number of items of a story is on its page; here the link is enough. */
function storyOf({ storyId }: editions.CitedItem, context: PageContext): string | null {
  if (!context.storyLayer || storyId === null) return null;
  return storyLink(storyId, 2, {
    ...context,
    words: { ...context.words, storyWith: () => context.words.item.story },
  });
}

function corrections(
  { corrections: notes }: editions.RecordedEdition,
  { words, language }: PageContext,
): string {
  return notes
    .toReversed()
    .map(
      ({ at, note }) =>
        html`<div class="note">
          <b>${words.edition.corrected} !${moment(at, language)}</b>
          ${note}
        </div>`,
    )
    .join('');
}

function flashes({ flashes: short }: editions.RecordedEdition, context: PageContext): string {
  if (short.length === 0) return '';
  const { own, others } = byReaderLanguage(short, context);
  return html`<section aria-labelledby="flashes">
    <h2 class="rule" id="flashes">${context.words.edition.flashes}</h2>
    !${own.length === 0 ? '' : flashList(own, context, true)}
    !${
      others.length === 0
        ? ''
        : html`<p class="day-name">${otherLanguageHeading(others, context)}</p>
            !${flashList(others, context, false)}`
    }
  </section>`;
}

function flashList(items: readonly editions.CitedItem[], context: PageContext, isOwn: boolean): string {
  return html`<ul class="plain-list">
    !${items.map(
      (item) =>
        html`<li data-entry="${item.id}" !${langOf(item.language, context)}>
          <a href="${context.href(publicPaths.itemPath(item.id))}">${clipped(item.title, titleCharsMax)}</a>
          !${isOwn ? html`<div class="meta">${clipped(item.sourceName, nameCharsMax)}</div>` : ''}
        </li>`,
    )}
  </ul>`;
}
