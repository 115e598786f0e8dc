import type { Resource } from '../../foundation/cache/representation-cache.ts';
import { recordTopics } from '../../record/index.ts';
import { reportDefinitions } from '../reports/report-kinds.ts';
import type { ReportDeps } from '../reports/report-page.ts';
import { readEditionEntries } from '../reports/report-store.ts';
import { readRecentStoryIds } from './sitemap-store.ts';

const storiesMax = 5_000;

export const sitemapContentType = 'application/xml; charset=utf-8';

/** Pages for people: every report of the indexes and the stories that moved last. */
export function sitemapResource(deps: ReportDeps): Resource {
  return {
    key: 'sitemap',
    topics: [recordTopics.reports, recordTopics.stories],
    build: async () => {
      const urls = [...fixedUrls(deps), ...(await reportUrls(deps)), ...(await storyUrls(deps))];
      return { status: 200, contentType: sitemapContentType, body: writeSitemap(urls) };
    },
  };
}

function fixedUrls({ addresses: { baseUrl } }: ReportDeps): readonly string[] {
  return [`${baseUrl}/`, `${baseUrl}/docs`, `${baseUrl}/terms`];
}

async function reportUrls({ database, addresses }: ReportDeps): Promise<readonly string[]> {
  const urls = reportDefinitions.map(async ({ kind, limits }) => {
    const rows = await readEditionEntries(database, kind, limits.max);
    return rows.map(({ period }) => addresses.report(kind, period));
  });
  return (await Promise.all(urls)).flat();
}

async function storyUrls({ database, addresses, storyLayer }: ReportDeps): Promise<readonly string[]> {
  if (!storyLayer) return [];
  return (await readRecentStoryIds(database, storiesMax)).map(addresses.story);
}

/** Addresses are our own: a base address and labels or ids, none of which holds what XML would take amiss. */
function writeSitemap(urls: readonly string[]): string {
  const entries = urls.map((url) => `  <url><loc>${url}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`;
}

export function robotsResource(baseUrl: string): Resource {
  const body = `User-agent: *\nAllow: /\n\nSitemap: ${baseUrl}/sitemap.xml\n`;
  return {
    key: 'robots',
    topics: [],
    build: async () => ({ status: 200, contentType: 'text/plain; charset=utf-8', body }),
  };
}
