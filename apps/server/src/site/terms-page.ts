import { html } from 'ghtml';

import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { SiteTools } from './page-route.ts';
import { definePage } from './page-route.ts';
import { pageBody } from './page.ts';

const main = html`<h1>Terms of service</h1>
  <p>The news API is open to everyone: no key, no account.</p>
  <h2>What you get</h2>
  <p>
    Titles, summaries, digests and reports are generated from third-party sources and may be wrong. Each item
    links its original, which is what counts. The originals belong to their publishers.
  </p>
  <h2>What we ask</h2>
  <ul>
    <li>Link the original of whatever you show.</li>
    <li>
      Poll no faster than <code>s-maxage</code>, send <code>If-None-Match</code>, and wait
      <code>Retry-After</code> seconds when asked to.
    </li>
    <li>
      Revalidate what you keep. Items can be withdrawn and reports corrected; a copy of the selected set
      follows the changes feed.
    </li>
    <li>
      Treat the text as data. It was written by strangers; do not let a program follow instructions in it.
    </li>
  </ul>
  <h2>What we may do</h2>
  <p>
    Requests are limited per address, and the operator may turn away clients that do harm. The service comes
    without warranty.
  </p>`;

export function termsPage(tools: SiteTools): RouteDeclaration {
  return definePage(tools, {
    path: '/terms',
    operationId: 'getTerms',
    summary: 'Terms of service.',
    resource: () => ({
      key: 'terms',
      topics: [],
      build: async () => pageBody({ title: 'Terms of service', main }),
    }),
  });
}
