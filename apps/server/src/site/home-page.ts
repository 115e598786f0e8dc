import { html } from 'ghtml';

import type { RouteDeclaration } from '../foundation/http/route.ts';
import { definePage } from './page-route.ts';
import type { SiteTools } from './page-route.ts';
import { pageBody } from './page.ts';

const addresses: readonly (readonly [href: string, what: string])[] = [
  ['/docs', 'the whole API, to read and try'],
  ['/api/v1/items', 'what is new, searchable in English and Chinese'],
  ['/api/v1/hot-topics', 'what most independent sources report now'],
  ['/api/v1/dailies/latest', 'the daily report; weeklies and monthlies alike'],
  ['/api/v1/selected/snapshot', 'the selected set, to mirror exactly'],
  ['/llms.txt', 'the same for agents, in Markdown'],
];

const main = html`<h1>AI-industry news, for anyone who polls.</h1>
  <p class="lead">
    Items, stories with digests, a Top 10, and reports every day, week and month. No key, no account.
  </p>
  <dl>
    !${addresses.map(
      ([href, what]) =>
        html`<dt><a href="${href}">${href}</a></dt>
          <dd>${what}</dd>`,
    )}
  </dl>
  <p>
    Titles and summaries are written from third-party sources; every item links its original.
    <a href="/terms">Terms</a>.
  </p>`;

export function homePage(tools: SiteTools): RouteDeclaration {
  return definePage(tools, {
    path: '/',
    operationId: 'getHome',
    summary: 'What this is and where to look.',
    resource: () => ({
      key: 'home',
      topics: [],
      build: async () => pageBody({ title: 'AI-industry news', main }),
    }),
  });
}
