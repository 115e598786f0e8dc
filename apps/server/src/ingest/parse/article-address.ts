const addressCharsMax = 2_000;

/** An absolute http(s) address, or null. */
export function resolveAddress(href: string | null | undefined, base: string): string | null {
  const cleaned = href
    ?.replaceAll(/\p{Cc}+/gu, '')
    .trim()
    .replace(/^feed:(?:\/\/)?(?=https?:)/iu, '')
    .replace(/^feed:/iu, 'http:');
  if (cleaned === undefined || cleaned === '') return null;
  const url = URL.parse(cleaned, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return url.href.length > addressCharsMax ? null : url.href;
}

export interface ArticleAddress {
  /** Without tracking parameters, and resolved through redirectors that contain their target. */
  readonly url: string;
  /** The address is a redirector whose target only a request can find. */
  readonly isRedirector: boolean;
}

export function articleAddress(address: string): ArticleAddress {
  let url = new URL(address);
  for (let hop = 0; hop < 5; hop += 1) {
    const target = embeddedTarget(url);
    if (target === null) break;
    url = target;
  }
  stripTracking(url);
  return { url: url.href, isRedirector: isRedirector(url) };
}

/**
 * A key that all addresses of one article share: without scheme, `www.`, final slash, index file name and tracking
 * parameters, and with sorted parameters.
 */
export function addressKey(address: string): string {
  const url = new URL(articleAddress(address).url);
  const host = url.host.replace(/^(?:www|m|mobile|amp)\./u, '');
  const path = url.pathname
    .replace(/\/(?:index\.(?:html?|php)|amp)?$/u, '')
    .replace(/\.amp(?=\.html$|$)/u, '');
  const query = queryParts(url).toSorted().join('&');
  return `${host}${path}${query === '' ? '' : `?${query}`}${url.hash}`;
}

/** Redirectors with their target in a parameter. */
const targetParameters: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:www\.)?google\.[a-z.]{2,6}\/url$/u, ['q', 'url']],
  [/^www\.bing\.com\/news\/apiclick\.aspx$/u, ['url']],
  [/^(?:l|lm)\.facebook\.com\/l\.php$/u, ['u']],
  [/^out\.reddit\.com\//u, ['url']],
  [/^www\.youtube\.com\/redirect$/u, ['q']],
  [/^link\.zhihu\.com\/$/u, ['target']],
  [/^link\.juejin\.cn\/$/u, ['target']],
  [/^links\.jianshu\.com\/go$/u, ['to']],
  [/^www\.linkedin\.com\/(?:redir\/)?redirect$/u, ['url']],
  [/^go\.redirectingat\.com\/$/u, ['url']],
];

function embeddedTarget(url: URL): URL | null {
  const place = `${url.host}${url.pathname}`;
  const encoded = /^news\.google\.com\/(?:rss\/)?(?:__i\/rss\/rd\/)?(?:articles|read)\/([\w-]{16,})$/u.exec(
    place,
  )?.[1];
  if (encoded !== undefined) return googleNewsTarget(encoded);
  for (const [pattern, names] of targetParameters) {
    if (!pattern.test(place)) continue;
    const target = names.map((name) => url.searchParams.get(name)).find((value) => value !== null);
    const absolute = target === undefined || target === null ? null : resolveAddress(target, url.href);
    return absolute === null ? null : new URL(absolute);
  }
  return null;
}

/** Until 2024 these contained the address itself; newer ones contain an opaque token. */
function googleNewsTarget(encoded: string): URL | null {
  const bytes = Buffer.from(encoded, 'base64url').toString('latin1');
  const found = /https?:\/\/[\u0021-\u007e]{4,}/u.exec(bytes)?.[0];
  return found === undefined ? null : URL.parse(found);
}

const redirectorHosts: ReadonlySet<string> = new Set(
  'news.google.com feedproxy.google.com feeds.feedburner.com feedproxy.feedburner.com feeds.feedblitz.com rss.feedsportal.com t.co bit.ly buff.ly dlvr.it ow.ly lnkd.in tinyurl.com goo.gl is.gd trib.al t.cn reut.rs nyti.ms'.split(
    ' ',
  ),
);

function isRedirector(url: URL): boolean {
  return redirectorHosts.has(url.hostname) && url.pathname !== '/';
}

const trackingNames =
  /^(?:utm_\w+|utm|fbclid|gclid|gclsrc|dclid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|mkt_tok|_hs(?:enc|mi)|wt_mc|xtor|at_(?:medium|campaign|custom\d|format|link_\w+|ptr_name|bbc_\w+)|cmpid|ncid|spm|scm|guccounter|guce_referrer\w*|soc_(?:src|trk)|smid|smtyp|ref_src|ref_url|ftag|ito|taid|oly_(?:enc|anon)_id|vero_id|_ga|ga_\w+|__twitter_impression|amp_js_v|usqp)$/u;
/** Removed only if their value names a feed. */
const feedNames =
  /^(?:ref|source|src|from|partner|mod|cmp|feature|rss|via|rssid|tag|campaign|medium|traffic_source)$/u;
const feedValues = /^(?:rss\w*|feeds?|feedburner|atom|rss[-_].{0,40})$/u;
const trackingFragment = /^#(?:xtor=|utm_|ref=rss|ftag=|comments?$|respond$|disqus_thread$|:~:|rss|atom)/u;

function stripTracking(url: URL): void {
  const parts = queryParts(url);
  const remaining = parts.filter((part) => !isTracking(part));
  if (remaining.length < parts.length) url.search = remaining.join('&');
  if (trackingFragment.test(url.hash.toLowerCase())) url.hash = '';
  url.username = '';
  url.password = '';
}

/** Parameters are not re-encoded: some servers treat a re-encoded query as a different one. */
function queryParts(url: URL): readonly string[] {
  return url.search === '' ? [] : url.search.slice(1).split('&');
}

function isTracking(part: string): boolean {
  const [name = '', value = ''] = part.toLowerCase().split('=', 2);
  if (trackingNames.test(name)) return true;
  return feedNames.test(name) && (feedValues.test(value) || (name === 'rss' && value === '1'));
}
