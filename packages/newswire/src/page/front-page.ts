import type { Outlet } from '../dispatch.ts';
import { escapeXml } from '../feed/xml.ts';
import type { Teaser } from './article-page.ts';
import { framePage } from './page-frame.ts';
import { siteCopy } from './site-copy.ts';

/** The front page with the entries of the feed. Each entry is an `article.card` with a link, a time and a teaser. */
export function frontPage(seed: number, outlet: Outlet, teasers: readonly Teaser[]): string {
  const copy = siteCopy[outlet.language];
  const cards = teasers.map(
    ({ title, address, summary, publishedAt }) => `<article class="card">
<h2 class="card-title"><a href="${escapeXml(address)}">${escapeXml(title)}</a></h2>
${publishedAt === null ? '' : `<time datetime="${publishedAt.slice(0, 19)}Z">${publishedAt.slice(0, 10)}</time>`}
<p class="card-teaser">${escapeXml(summary)}</p>
</article>`,
  );
  const body = `<main class="front"><h1>${copy.latest}</h1>\n${cards.join('\n')}\n</main>`;
  return framePage({ seed, outlet, title: outlet.name, body });
}

/** A page with one message: withdrawn, missing. */
export function noticePage(seed: number, outlet: Outlet, notice: 'withdrawn' | 'missing'): string {
  const text = siteCopy[outlet.language][notice];
  return framePage({ seed, outlet, title: outlet.name, body: `<main><h1>${text}</h1></main>` });
}
