import { html } from 'ghtml';

import { dayMs } from '../../foundation/clock.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { addMs } from '../../foundation/instant.ts';
import type { recorded } from '../../record/index.ts';
import { recordCacheTags } from '../../record/index.ts';
import { clipped, nameCharsMax } from './clipped.ts';
import { moment } from './moments.ts';
import { externalLink } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

const weekMs = 7 * dayMs;
export const sourcesMax = 2_000;

export function sourcesPage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/sources',
    operationId: 'getSourcesPage',
    freshness: 'five-minutes',
    resource: (_input, context) => ({
      key: 'sources',
      cacheTags: [recordCacheTags.sources, recordCacheTags.items],
      build: async () => {
        const { words } = context;
        const sources = await readAllSources(context);
        const byItemCountDescending = sources.toSorted((one, other) => other.itemCount - one.itemCount);
        return {
          title: words.sourcesPage.title,
          description: words.sourcesPage.lead,
          path: '/sources',
          section: 'sources' as const,
          width: 'wide' as const,
          main: html`<h1>${words.sourcesPage.title}</h1>
            <p class="lead">${words.sourcesPage.lead}</p>
            <p class="meta">
              ${words.sourcesPage.count(sources.length)}.
              <a href="/sources.opml">${words.sourcesPage.opml}</a>
            </p>
            !${
              sources.length === 0
                ? html`<p class="empty">${words.sourcesPage.none}</p>`
                : sourcesTable(byItemCountDescending, context)
            }`,
        };
      },
    }),
  });
}

export function readAllSources({
  record,
  clock,
}: Pick<PageContext, 'record' | 'clock'>): Promise<readonly recorded.RecordedSource[]> {
  return record.sources({ since: addMs(clock.now(), -weekMs), after: null, rowsMax: sourcesMax });
}

function sourcesTable(sources: readonly recorded.RecordedSource[], context: PageContext): string {
  const { words, language } = context;
  const { sourcesPage: labels } = words;
  const itemCountMax = Math.max(1, ...sources.map(({ itemCount }) => itemCount));
  return html`<table class="sources">
    <thead>
      <tr>
        <th scope="col">${labels.name}</th>
        <th scope="col">${labels.owner}</th>
        <th scope="col">${labels.items}</th>
        <th scope="col">${labels.selected}</th>
        <th scope="col">${labels.latest}</th>
      </tr>
    </thead>
    <tbody>
      !${sources.map(
        (source) =>
          html`<tr>
            <td data-column="${labels.name}">
              <span
                >!${source.homepageUrl === null ? html`${clipped(source.name, nameCharsMax)}` : externalLink(source.homepageUrl, source.name)}
                !${source.firstParty ? html`<span class="tag">${words.firstParty}</span>` : ''}
                <span class="meta">${labels.state[source.state] ?? ''}</span></span
              >
            </td>
            <td data-column="${labels.owner}">${clipped(source.owner, nameCharsMax)}</td>
            <td data-column="${labels.items}" class="number">
              <span
                >${source.itemCount}
                <svg class="share" width="80" height="8" aria-hidden="true">
                  <rect width="${((source.itemCount / itemCountMax) * 80).toFixed(1)}" height="8" /></svg
              ></span>
            </td>
            <td data-column="${labels.selected}" class="number">${source.selectedCount}</td>
            <td data-column="${labels.latest}">
              <span>!${source.latestAt === null ? '–' : moment(source.latestAt, language)}</span>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
