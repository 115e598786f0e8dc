import type { Resource } from '../../foundation/cache/representation-cache.ts';
import { recordCacheTags } from '../../record/index.ts';
import { editionDefinitions } from '../editions/edition-kinds.ts';
import type { EditionDeps } from '../editions/edition-representation.ts';

const storiesMax = 5_000;

export const sitemapContentType = 'application/xml; charset=utf-8';

/** Pages for people: every edition of the indexes and the latest updated stories. */
export function sitemapResource(deps: EditionDeps): Resource {
  return {
    key: 'sitemap',
    cacheTags: [recordCacheTags.editions, recordCacheTags.stories],
    build: async () => {
      const urls = [...fixedUrls(deps), ...(await reportUrls(deps)), ...(await storyUrls(deps))];
      return { status: 200, contentType: sitemapContentType, body: writeSitemap(urls) };
    },
  };
}

/** Pages of the site that every installation has. */
const fixedPaths = [
  '/',
  '/timeline',
  '/hot',
  '/daily',
  '/weekly',
  '/monthly',
  '/daily/archive',
  '/weekly/archive',
  '/monthly/archive',
  '/sources',
  '/corrections',
  '/about',
  '/api',
  '/docs',
  '/docs/news',
  '/docs/guides/news-api',
  '/problems',
  '/terms',
];

function fixedUrls({ addresses: { baseUrl } }: EditionDeps): readonly string[] {
  return fixedPaths.map((path) => `${baseUrl}${path}`);
}

async function reportUrls({ record, addresses }: EditionDeps): Promise<readonly string[]> {
  const urls = editionDefinitions.map(async ({ kind, limits }) => {
    const editions = await record.editionEntries(kind, limits.max);
    return editions.map(addresses.edition);
  });
  return (await Promise.all(urls)).flat();
}

async function storyUrls({ record, addresses, storyLayer }: EditionDeps): Promise<readonly string[]> {
  if (!storyLayer) return [];
  return (await record.recentStoryIds(storiesMax)).map(addresses.story);
}

/** Addresses are our own: a base address and labels or ids, none of which needs escaping in XML. */
function writeSitemap(urls: readonly string[]): string {
  const entries = urls.map((url) => `  <url><loc>${url}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`;
}

export function robotsResource(baseUrl: string): Resource {
  const body = `User-agent: *\nAllow: /\n\nSitemap: ${baseUrl}/sitemap.xml\n`;
  return {
    key: 'robots',
    cacheTags: [],
    build: async () => ({ status: 200, contentType: 'text/plain; charset=utf-8', body }),
  };
}
