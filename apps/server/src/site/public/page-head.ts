import { html } from 'ghtml';

import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { scripts } from '../shell/assets.ts';
import type { LayoutOptions, Section } from '../shell/frame.ts';
import { dataBlock, layout } from '../shell/frame.ts';
import type { InterfaceLanguage } from '../shell/words/words.ts';
import { interfaceLanguages } from '../shell/words/words.ts';
import { clipped, titleCharsMax } from './clipped.ts';
import { clockTime, dayName, moment } from './moments.ts';
import type { PageContext } from './page-context.ts';
import { inAllLanguages } from './page-context.ts';

export interface PublicPage extends Pick<LayoutOptions, 'title' | 'main' | 'width' | 'isFront'> {
  /** One or two sentences for search engines and previews; plain text. */
  readonly description: string;
  /** Of the page in the default language, with the relevant parameters. */
  readonly path: string;
  readonly section?: Section;
  /** When its content last changed. */
  readonly updatedAt?: EpochMicroseconds | null;
  /** If the content is older than this, continuous updates have stopped. */
  readonly staleAfterMs?: number;
  readonly feeds?: readonly { readonly title: string; readonly path: string }[];
  /** Path of a picture of 1200 by 630 for previews. */
  readonly image?: string;
  /** Whether other sites can embed it, as `/oembed` describes. */
  readonly isEmbeddable?: boolean;
  /** Of schema.org. */
  readonly structured?: Readonly<Record<string, unknown>>;
  /** Of its headline, where no text exists in the language of the page. */
  readonly language?: InterfaceLanguage;
  /** Languages in which its content exists; by default all. */
  readonly languages?: readonly InterfaceLanguage[];
  /** Pages that search engines should not index, such as searches. */
  readonly isUnlisted?: boolean;
}

const descriptionCharsMax = 300;

export function publicPage(page: PublicPage, context: PageContext): string {
  const { language, href, canonicalHref } = context;
  return layout({
    ...page,
    offersMail: context.offersMail,
    title: clipped(page.title, titleCharsMax),
    language,
    href,
    canonicalHref,
    allLanguages: { href: inAllLanguages(canonicalHref(page.path)), isCurrent: context.mixesLanguages },
    day: dayName(context.clock.now(), language),
    updated: updatedLine(page, context),
    head: head(page, context),
  });
}

function updatedLine(
  { updatedAt, staleAfterMs }: PublicPage,
  { words, language, clock }: PageContext,
): string {
  if (updatedAt === undefined || updatedAt === null) return '';
  const now = clock.now();
  const isToday = dayName(updatedAt, language) === dayName(now, language);
  const at = isToday ? clockTime(updatedAt) : moment(updatedAt, language);
  const stale = staleAfterMs !== undefined && now - updatedAt > BigInt(staleAfterMs) * 1_000n;
  return html`${words.updated} !${at}
    <span data-zone>${words.inShanghai}</span>!${stale ? html`. <strong>${words.stale}</strong>` : ''}`;
}

function head(page: PublicPage, context: PageContext): string {
  const { baseUrl, canonicalHref: href, mixesLanguages } = context;
  const { language = context.language, languages = interfaceLanguages } = page;
  const address = (path: string): string => `${baseUrl}${path}`;
  const own = address(href(page.path));
  const description = shortened(page.description);
  return html`<meta name="description" content="${description}" />
    !${installation(context)} !${page.isEmbeddable === true ? embedding(page, context) : ''}
    !${page.isUnlisted === true || mixesLanguages ? html`<meta name="robots" content="noindex" />` : ''}
    <link rel="canonical" href="${own}" />
    !${languages.map((one) => html`<link rel="alternate" hreflang="${one}" href="${address(href(page.path, one))}" />`)}
    !${(page.feeds ?? []).map(
      ({ title, path }) =>
        html`<link
          rel="alternate"
          type="${path.endsWith('.json') ? 'application/feed+json' : 'application/atom+xml'}"
          title="${title}"
          href="${path}"
        />`,
    )}
    <meta property="og:site_name" content="Daybook" />
    <meta
      property="og:type"
      content="${page.structured?.['@type'] === 'NewsArticle' ? 'article' : 'website'}"
    />
    <meta property="og:title" content="${clipped(page.title, titleCharsMax)}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${own}" />
    <meta property="og:locale" content="${language === 'zh' ? 'zh_CN' : 'en_US'}" />
    !${
      page.image === undefined
        ? ''
        : html`<meta property="og:image" content="${address(href(page.image))}" />
            <meta property="og:image:width" content="1200" />
            <meta property="og:image:height" content="630" />
            <meta name="twitter:card" content="summary_large_image" />`
    }
    <script type="application/ld+json">
      !${dataBlock({
        '@context': 'https://schema.org',
        '@type': 'WebPage',
        name: page.title,
        url: own,
        inLanguage: language,
        ...(page.updatedAt === undefined || page.updatedAt === null
          ? {}
          : { dateModified: isoMilliseconds(page.updatedAt) }),
        ...page.structured,
      })}
    </script>`;
}

/** With which a browser installs the site and searches it, and what a reader marks on the device. */
function installation({ canonicalHref: href }: PageContext): string {
  return html`<script src="${scripts.device.path}" defer></script>
    <link rel="manifest" href="${href('/manifest.webmanifest')}" />
    <link
      rel="search"
      type="application/opensearchdescription+xml"
      title="Daybook"
      href="${href('/opensearch.xml')}"
    />`;
}

/** Where publishing systems find the frame of the page. */
function embedding({ title, path }: PublicPage, { baseUrl, canonicalHref: href }: PageContext): string {
  const own = encodeURIComponent(`${baseUrl}${href(path)}`);
  return html`<link
    rel="alternate"
    type="application/json+oembed"
    title="${clipped(title, titleCharsMax)}"
    href="${baseUrl}/oembed?url=${own}"
  />`;
}

function shortened(text: string): string {
  return clipped(text.replaceAll(/\s+/g, ' ').trim(), descriptionCharsMax);
}
