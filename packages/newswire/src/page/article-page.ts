import type { Article } from '../dispatch.ts';
import { paragraphsHtml, sectionName } from '../feed/build-feed.ts';
import { escapeXml } from '../feed/xml.ts';
import { outletTraits } from '../site/outlet-traits.ts';
import { framePage } from './page-frame.ts';
import type { SiteCopy } from './site-copy.ts';
import { siteCopy } from './site-copy.ts';

/** Another article of the same site, as a page links to it. */
export interface Teaser {
  readonly title: string;
  readonly address: string;
  readonly summary: string;
  readonly publishedAt: string | null;
}

interface Parts {
  readonly article: Article;
  readonly copy: SiteCopy;
  readonly others: readonly Teaser[];
}

export function articlePage(seed: number, article: Article, others: readonly Teaser[]): string {
  const { outlet } = article;
  const parts = { article, copy: siteCopy[article.language], others };
  const layout = layouts[outletTraits(seed, outlet).layout] ?? classic;
  return framePage({
    seed,
    outlet,
    title: `${article.title} | ${outlet.name}`,
    head: headOf(article),
    body: layout(parts),
  });
}

function headOf(article: Article): string {
  const { outlet, title, summary, address, publishedAt, editedAt } = article;
  const description = escapeXml(summary.slice(0, 160));
  const data = {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: title,
    url: address,
    ...(publishedAt === null ? {} : { datePublished: publishedAt }),
    ...(editedAt.length === 0 ? {} : { dateModified: editedAt.at(-1) }),
    author: [{ '@type': 'Person', name: article.author }],
    publisher: { '@type': 'Organization', name: outlet.name },
  };
  return [
    `<link rel="canonical" href="${escapeXml(address)}">`,
    `<meta name="description" content="${description}">`,
    `<meta property="og:type" content="article">`,
    `<meta property="og:title" content="${escapeXml(title)}">`,
    `<meta property="og:description" content="${description}">`,
    `<meta property="og:url" content="${escapeXml(address)}">`,
    `<meta property="og:site_name" content="${escapeXml(outlet.name)}">`,
    publishedAt === null ? '' : `<meta property="article:published_time" content="${publishedAt}">`,
    `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  ].join('\n');
}

type Layout = (parts: Parts) => string;

const classic: Layout = ({ article, copy, others }) => `<main class="container">
<article class="post">
<p class="kicker">${sectionName(article.category, article.language)}</p>
<h1 class="post-title">${escapeXml(article.title)}</h1>
${bylineOf(article, copy)}
${figureOf(article, copy)}
<div class="post-content">
${paragraphsHtml(article)}
</div>
${shareOf(copy)}
</article>
${sidebarOf(copy, others)}
</main>`;

/** The text is in nested blocks without descriptive class names, with an advertisement in the middle. */
const nested: Layout = ({ article, copy, others }) => {
  const half = Math.ceil(article.paragraphs.length / 2);
  const part = (from: number, to?: number): string =>
    paragraphsHtml({ paragraphs: article.paragraphs.slice(from, to) });
  return `<div id="wrap"><div class="c1"><div class="c2">
<h1>${escapeXml(article.title)}</h1>
<div class="meta">${escapeXml(copy.by(article.author))} ${timeOf(article)}</div>
<div class="txt"><div>
${part(0, half)}
</div>
<div class="ad" aria-hidden="true"><span>${copy.advertisement}</span><iframe src="about:blank" title="${copy.advertisement}"></iframe></div>
<div>
${part(half)}
</div></div>
${newsletterOf(copy)}
</div>
<div class="c3">${listOf(copy.mostRead, others)}</div></div></div>`;
};

/** A newsletter's page: almost only the text. */
const plain: Layout = ({ article, copy }) => `<main>
<article>
<header><h1>${escapeXml(article.title)}</h1>${bylineOf(article, copy)}</header>
${paragraphsHtml(article)}
<hr>
${newsletterOf(copy)}
</article>
</main>`;

/** Sections and subheadings, with related links between the paragraphs. */
const magazine: Layout = ({ article, copy, others }) => {
  const [lead = '', ...rest] = article.paragraphs;
  const [middle] = others;
  const aside =
    middle === undefined
      ? ''
      : `<aside class="read-also"><strong>${copy.related}:</strong> <a href="${escapeXml(middle.address)}">${escapeXml(middle.title)}</a></aside>`;
  return `<main class="magazine" role="main">
<nav class="breadcrumbs"><a href="${article.outlet.home}">${escapeXml(article.outlet.name)}</a> › ${sectionName(article.category, article.language)}</nav>
<section class="hero"><h1 itemprop="headline">${escapeXml(article.title)}</h1><p class="standfirst">${escapeXml(lead)}</p>${bylineOf(article, copy)}</section>
${figureOf(article, copy)}
<section class="entry-body" itemprop="articleBody">
${paragraphsHtml({ paragraphs: rest.slice(0, 2) })}
${aside}
${paragraphsHtml({ paragraphs: rest.slice(2) })}
</section>
${shareOf(copy)}
<section class="related">${listOf(copy.related, others)}</section>
<section id="comments"><p>${copy.comments}</p></section>
</main>`;
};

/** An old system: tables, and the text broken by line breaks instead of paragraphs. */
const table: Layout = ({ article, copy, others }) => `<table width="960" align="center"><tr>
<td width="680" valign="top">
<font size="5"><b>${escapeXml(article.title)}</b></font><br>
<small>${escapeXml(copy.by(article.author))} | ${timeOf(article)}</small>
<div id="artibody">
${article.paragraphs.map((paragraph) => `　　${escapeXml(paragraph)}<br><br>`).join('\n')}
</div>
</td>
<td width="280" valign="top">${listOf(copy.mostRead, others)}${newsletterOf(copy)}</td>
</tr></table>`;

const layouts: readonly Layout[] = [classic, nested, plain, magazine, table];

function timeOf({ publishedAt }: Article): string {
  if (publishedAt === null) return '';
  const text = `${publishedAt.slice(0, 10)} ${publishedAt.slice(11, 16)} UTC`;
  return `<time datetime="${publishedAt.slice(0, 19)}Z">${text}</time>`;
}

function bylineOf(article: Article, copy: SiteCopy): string {
  const edited = article.editedAt.at(-1);
  const updated =
    edited === undefined
      ? ''
      : ` <span class="updated">${copy.updated} ${edited.slice(0, 16).replace('T', ' ')}</span>`;
  return `<p class="byline"><span class="author">${escapeXml(copy.by(article.author))}</span> ${timeOf(article)}${updated}</p>`;
}

function figureOf({ outlet, title }: Article, copy: SiteCopy): string {
  return `<figure class="lead-image"><img src="http://${outlet.host}/media/archive.jpg" alt="${escapeXml(title)}" width="1200" height="675"><figcaption>${copy.caption}</figcaption></figure>`;
}

function shareOf({ share }: SiteCopy): string {
  return `<div class="share-bar"><span>${share}</span><a href="#" rel="nofollow">@</a><a href="#" rel="nofollow">in</a><a href="#" rel="nofollow">✉</a></div>`;
}

function newsletterOf({ newsletter, subscribe }: SiteCopy): string {
  return `<form class="newsletter" action="/newsletter" method="post"><p>${newsletter}</p><input type="email" name="email"><button>${subscribe}</button></form>`;
}

function sidebarOf(copy: SiteCopy, others: readonly Teaser[]): string {
  return `<aside class="sidebar">${listOf(copy.mostRead, others)}${newsletterOf(copy)}<div class="ad-slot">${copy.advertisement}</div></aside>`;
}

function listOf(heading: string, teasers: readonly Teaser[]): string {
  const items = teasers.map(
    ({ title, address }) => `<li><a href="${escapeXml(address)}">${escapeXml(title)}</a></li>`,
  );
  return `<h3>${heading}</h3><ul>${items.join('')}</ul>`;
}
