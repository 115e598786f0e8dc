import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { idForm } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { dailyEditions, monthlyEditions, weeklyEditions } from '../../news/editions/index.ts';
import type { recorded } from '../../record/index.ts';
import {
  corrections,
  editionTag,
  itemTag,
  publicPaths,
  recordCacheTags,
  storyTag,
} from '../../record/index.ts';
import { moment } from './moments.ts';
import { factsLine } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { PageResource, SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';
import { revisionChanges } from './revision-changes.ts';
import { verifyLine } from './verify-page.ts';

type Kind = recorded.HistoryKind;

interface Subject {
  readonly kind: Kind;
  readonly id: string;
  /** Of its page. */
  readonly path: string;
  readonly tags: Pick<PageResource, 'cacheTags' | 'edgeTags'>;
}

/** The revisions of an item, a story or a report, with what changed in each. */
export function historyPages(tools: SiteTools): readonly RouteDeclaration[] {
  return [
    ...historyPage(tools, '/items/{id}', 'Item', (id) =>
      idForm.test(id) ? subjectOf('item', id, publicPaths.itemPath(id), [itemTag(id)]) : null,
    ),
    ...historyPage(tools, '/story/{id}', 'Story', (id, { storyLayer }) =>
      storyLayer && idForm.test(id)
        ? subjectOf('story', id, publicPaths.storyPath(id), [storyTag(id)])
        : null,
    ),
    ...[dailyEditions, weeklyEditions, monthlyEditions].flatMap(({ kind, isLabel }) =>
      historyPage(tools, `/${kind}/{id}`, kind, (period) =>
        isLabel(period)
          ? subjectOf(kind, period, publicPaths.editionPath({ kind, period }), [editionTag({ kind, period })])
          : null,
      ),
    ),
  ];
}

/** A withdrawal or a correction erases words from the history of everything that repeated them. */
const cacheTags: Readonly<Record<Kind, string>> = {
  item: recordCacheTags.items,
  story: recordCacheTags.stories,
  daily: recordCacheTags.editions,
  weekly: recordCacheTags.editions,
  monthly: recordCacheTags.editions,
};

function subjectOf(kind: Kind, id: string, path: string, tags: readonly string[]): Subject {
  const tag = cacheTags[kind];
  return { kind, id, path, tags: { cacheTags: [tag], edgeTags: [...tags, tag] } };
}

function historyPage(
  tools: SiteTools,
  path: string,
  name: string,
  subject: (id: string, context: PageContext) => Subject | null,
): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: `${path}/history`,
    operationId: `get${name}HistoryPage`,
    params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
    problems: [notFound],
    freshness: 'minute',
    resource: ({ params: { id } }, context) => {
      const found = subject(id, context);
      if (found === null) throw new ProblemError(notFound, 'Nothing with this address was published.');
      return {
        key: `history ${found.kind} ${id}`,
        ...found.tags,
        build: async () => {
          const revisions = await context.record.history(found.kind, id);
          if (revisions === null) throw new ProblemError(notFound, context.words.history.none);
          return presented(found, revisions, context);
        },
      };
    },
  });
}

type Revision = NonNullable<Awaited<ReturnType<PageContext['record']['history']>>>[number];

function presented(
  { kind, path }: Subject,
  revisions: readonly Revision[],
  context: PageContext,
): PublicPage {
  const { history: words } = context.words;
  return {
    title: words.title,
    description: words.lead,
    path: `${path}/history`,
    width: 'column',
    isUnlisted: true,
    updatedAt: revisions[0]?.at ?? null,
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      <p class="meta"><a href="${context.href(path)}">${words.back}</a></p>
      <ol class="plain-list history" reversed>
        !${revisions.map((one, at) => revisionPart(kind, one, revisions[at + 1] ?? null, context))}
      </ol>
      !${verifyLine(path, context)}`,
  };
}

function revisionPart(kind: Kind, revision: Revision, before: Revision | null, context: PageContext): string {
  const { history: words } = context.words;
  const { action, at, leafIndex, correction } = revision;
  const reason =
    correction === null ? null : corrections.wordCorrectionReason(correction.reason, context.language).reason;
  return html`<li id="r${revision.revision}">
    <p>
      <b>${words.actions[action]}</b>
      !${factsLine([
        moment(at, context.language),
        leafIndex === null ? html`${words.unsigned}` : html`${words.entry(leafIndex)}`,
      ])}
    </p>
    !${reason === null ? '' : html`<p class="note"><b>${words.corrected}</b> ${reason}</p>`}
    !${changesPart(kind, revision, before, context)}
  </li>`;
}

/** Wording is compared only if both revisions still have theirs: what a correction removed is in neither. */
function changesPart(
  kind: Kind,
  { action, content }: Revision,
  before: Revision | null,
  { words: { history: words } }: PageContext,
): string {
  if (action === 'withdrawn') return '';
  if (content === null) return html`<p class="meta">${words.removed}</p>`;
  if (before === null) return html`<p class="meta">${words.first}</p>`;
  if (before.content === null) return '';
  const { texts, others } = revisionChanges(kind, before.content, content);
  const changed = others.map((field) => words.fields[field]).join(', ');
  return html`!${texts.map(
    ({ field, changes }) =>
      html`<p>
        <span class="meta">${words.fields[field]}:</span>
        !${changes.map(({ kind: change, text }) =>
          change === 'same'
            ? html`${text}`
            : change === 'added'
              ? html`<ins>${text}</ins>`
              : html`<del>${text}</del>`,
        )}
      </p>`,
  )}
  !${changed === '' ? '' : html`<p class="meta">${words.changed}: ${changed}</p>`}
  !${texts.length + others.length === 0 ? html`<p class="meta">${words.noWords}</p>` : ''}`;
}
