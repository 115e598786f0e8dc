import type { Outlet } from '../dispatch.ts';
import { escapeXml } from '../feed/xml.ts';
import type { FeedFormat } from '../site/outlet-traits.ts';
import { feedAddress, outletTraits } from '../site/outlet-traits.ts';
import { siteCopy } from './site-copy.ts';

const mediaTypes: Readonly<Record<FeedFormat, string>> = {
  rss2: 'application/rss+xml',
  rss1: 'application/rdf+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

interface Frame {
  readonly seed: number;
  readonly outlet: Outlet;
  readonly title: string;
  /** Elements for the head, as HTML. */
  readonly head?: string;
  /** The content between the site's header and footer, as HTML. */
  readonly body: string;
}

/** A page of a site: head, header, navigation, footer and all that a reader's program must look past. */
export function framePage({ seed, outlet, title, head = '', body }: Frame): string {
  const copy = siteCopy[outlet.language];
  const { layout, encoding } = outletTraits(seed, outlet);
  const lang = outlet.language === 'en' ? 'en' : 'zh-CN';
  const feeds = (Object.keys(mediaTypes) as FeedFormat[])
    .map((format) => ({ format, href: feedAddress(seed, outlet, format) }))
    .map(
      ({ format, href }) =>
        `<link rel="alternate" type="${mediaTypes[format]}" title="${escapeXml(outlet.name)}" href="${escapeXml(href)}">`,
    );
  const menu = copy.navigation
    .map(
      (name, nth) =>
        `<li class="nav-item"><a href="${outlet.home}${nth === 0 ? '' : `section/${nth}`}">${name}</a></li>`,
    )
    .join('');
  const cookies = `<div id="cookie-notice" class="cookie-banner" role="dialog"><p>${copy.cookies}</p><button type="button">${copy.accept}</button></div>`;
  const footer = `<footer class="site-footer"><ul>${copy.footer.map((name) => `<li><a href="#">${name}</a></li>`).join('')}</ul><p>© ${escapeXml(outlet.owner)}</p></footer>`;
  return `<!DOCTYPE html>
<html lang="${lang}">
<head>
<meta charset="${encoding}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
${feeds.join('\n')}
${head}
<link rel="stylesheet" href="/assets/site-${layout}.css">
<script>window.dataLayer = window.dataLayer || []; function track() { dataLayer.push(arguments); }</script>
</head>
<body class="layout-${layout}">
<header class="site-header"><a class="logo" href="${outlet.home}">${escapeXml(outlet.name)}</a><nav><ul class="menu">${menu}</ul></nav></header>
${body}
${footer}
${cookies}
<script src="/assets/analytics.js" async></script>
</body>
</html>
`;
}
