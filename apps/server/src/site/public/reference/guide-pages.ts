import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import type { PageContext } from '../page-context.ts';
import type { PublicPage } from '../page-head.ts';
import type { SiteTools } from '../public-page.ts';
import { definePublicPage } from '../public-page.ts';
import type { DescribedApi } from './api-document.ts';
import type { Guide, LinkTarget } from './guides.ts';
import { renderGuide } from './guides.ts';
import { besideContents } from './table-of-contents.ts';

export function guidePages(
  tools: SiteTools,
  apis: readonly DescribedApi[],
  guides: readonly Guide[],
): readonly RouteDeclaration[] {
  const byName = new Map(guides.map((guide) => [guide.name, guide]));
  return definePublicPage(tools, {
    path: '/docs/guides/{name}',
    operationId: 'getGuide',
    params: Type.Object({ name: Type.String({ maxLength: 100 }) }),
    problems: [notFound],
    freshness: 'five-minutes',
    resource: ({ params }, context) => {
      const guide = byName.get(params.name);
      if (guide === undefined) throw new ProblemError(notFound, 'Guide not found.');
      const targetOf = linkTarget(byName, apis, context);
      return {
        key: `guide ${guide.name}`,
        cacheTags: [],
        build: async () => guidePage(guide, targetOf, context),
      };
    },
  });
}

function guidePage(guide: Guide, targetOf: LinkTarget, context: PageContext): PublicPage {
  const { text, headings } = renderGuide(guide, targetOf);
  const main = html`<p class="meta">
      <a href="${context.href('/docs')}">${context.words.reference.title}</a>
    </p>
    <div class="guide" lang="en">!${text}</div>`;
  return {
    title: guide.title,
    description: guide.opening,
    path: guide.path,
    section: 'api',
    width: 'wide',
    main: besideContents(headings, main, context),
  };
}

/** Links to served guides and descriptions and to other sites stay; the others become text. */
function linkTarget(
  guides: ReadonlyMap<string, Guide>,
  apis: readonly DescribedApi[],
  { href }: PageContext,
): LinkTarget {
  return (link) => {
    if (/^(?:#|https?:\/\/)/.test(link)) return link;
    const [file = '', fragment] = link.split('#', 2);
    const guide = guides.get(/^(.+)\.md$/.exec(file)?.[1] ?? '');
    if (guide !== undefined) return `${href(guide.path)}${fragment === undefined ? '' : `#${fragment}`}`;
    return apis.find(({ path }) => `..${path}` === file)?.path ?? null;
  };
}
