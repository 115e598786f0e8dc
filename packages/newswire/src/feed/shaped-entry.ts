import type { Article, OutletShape } from '../dispatch.ts';
import type { Micros } from '../instant.ts';
import { dayPath, microsPerHour } from '../instant.ts';
import { Random } from '../random.ts';
import type { OutletTraits } from '../site/outlet-traits.ts';
import type { FeedEntry } from './feed-document.ts';
import { escapeXml } from './xml.ts';

interface Shaping {
  readonly article: Article;
  /** The article's id in addresses. */
  readonly id: string;
  readonly appears: Micros;
  readonly at: Micros;
}

export function guidOf(article: Article, traits: OutletTraits, id: string, appears: Micros): string {
  const { outlet, address } = article;
  const { host, key, shape } = outlet;
  if (shape === 'video') return `yt:video:${id}`;
  if (shape === 'preprints') return `oai:${host}:${id}v1`;
  if (shape === 'podcast') return `${key}-${id}`;
  if (shape === 'releases')
    return `tag:${host},2008:Repository/${100_000 + outlet.index}/${address.split('/').at(-1)}`;
  return siteGuid(article, traits, id, appears);
}

function siteGuid({ outlet, address }: Article, { guid }: OutletTraits, id: string, appears: Micros): string {
  if (guid === 'address') return address;
  if (guid === 'tag') return `tag:${outlet.host},${dayPath(appears).replaceAll('/', '-')}:${id}`;
  return `${outlet.home}?p=${Number.parseInt(id, 36)}`;
}

/** The entry as the outlet's kind of platform writes it. */
export function shapedEntry(entry: FeedEntry, shaping: Shaping): FeedEntry {
  const write = writers[shaping.article.outlet.shape];
  return write === undefined ? entry : write(entry, shaping);
}

/** Like a YouTube channel: the description is plain text, and `updated` moves when it is edited. */
function videoEntry(entry: FeedEntry, { article, id, appears, at }: Shaping): FeedEntry {
  const { outlet } = article;
  const random = new Random(Number.parseInt(id.slice(0, 6), 36), 23);
  const chapters = article.paragraphs.slice(1).map((_, nth) => {
    const minutes = 2 * nth + 1 + random.below(2);
    return `${String(minutes).padStart(2, '0')}:${String(random.below(60)).padStart(2, '0')}`;
  });
  const hours = Math.max(0, Math.floor((at - appears) / microsPerHour));
  return {
    ...entry,
    summaryHtml: [article.summary, '', ...chapters].join('\n'),
    contentHtml: null,
    published: appears,
    updated: entry.updated ?? appears,
    categories: [],
    video: {
      id,
      channel: `UC${outlet.key.replaceAll('-', '')}`,
      thumbnail: `http://${outlet.host}/vi/${id}/hqdefault.jpg`,
      // Counted once a day, so that the feed does not change with every request.
      views: 40 + random.below(900) * (1 + Math.floor(hours / 24)),
    },
  };
}

/** Like GitHub's releases: no date of publication, only one that moves when the notes are edited. */
function releaseEntry(entry: FeedEntry, { article, appears }: Shaping): FeedEntry {
  const [lead = '', ...others] = article.paragraphs;
  const notes = others.map((paragraph) => `<li>${escapeXml(paragraph)}</li>`).join('\n');
  return {
    ...entry,
    contentHtml: `<p>${escapeXml(lead)}</p>\n<h2>What changed</h2>\n<ul>\n${notes}\n</ul>`,
    author: article.outlet.firstPartyOf?.key ?? entry.author,
    published: null,
    updated: entry.updated ?? appears,
    categories: [],
  };
}

/** Like arXiv's lists: every entry of a day has the same date. */
function preprintEntry(entry: FeedEntry, { article, id, appears }: Shaping): FeedEntry {
  const day = 24 * microsPerHour;
  const abstract = `${id}v1 Announce Type: new\nAbstract: ${article.summary}`;
  return {
    ...entry,
    summaryHtml: escapeXml(abstract),
    contentHtml: null,
    published: Math.floor(appears / day) * day,
    updated: null,
    announceType: 'new',
  };
}

function podcastEntry(entry: FeedEntry, { article, id }: Shaping): FeedEntry {
  const seconds = 1200 + (Number.parseInt(id.slice(0, 5), 36) % 3000);
  const address = `http://${article.outlet.host}/audio/${id}.mp3`;
  return { ...entry, categories: [], audio: { address, bytes: seconds * 16_000, seconds } };
}

const writers: Partial<Record<OutletShape, (entry: FeedEntry, shaping: Shaping) => FeedEntry>> = {
  video: videoEntry,
  releases: releaseEntry,
  preprints: preprintEntry,
  podcast: podcastEntry,
};
