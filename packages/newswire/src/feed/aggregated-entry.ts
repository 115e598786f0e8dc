import type { Article, Outlet } from '../dispatch.ts';
import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';
import type { FeedEntry } from './feed-document.ts';
import { escapeXml } from './xml.ts';

interface PickUp {
  /** The article's id in addresses. */
  readonly id: string;
  readonly appears: Micros;
  readonly at: Micros;
}

/** An aggregator's entry: it links to another outlet's article, straight or through itself. */
export function aggregatedEntry(aggregator: Outlet, article: Article, pickUp: PickUp): FeedEntry {
  if (aggregator.shape === 'discussion') return discussed(aggregator, article, pickUp);
  return aggregator.shape === 'headlines'
    ? redirected(aggregator, article, pickUp)
    : collected(aggregator, article, pickUp);
}

/** Like Hacker News: the link is the article, everything else the board's own, and the points keep changing. */
function discussed({ home }: Outlet, { title, address }: Article, { id, appears, at }: PickUp): FeedEntry {
  const comments = `${home}item?id=${id}`;
  const halfHours = Math.max(0, Math.min(48, Math.floor((at - appears) / (microsPerHour / 2))));
  const points = 2 + halfHours * (1 + (Number.parseInt(id.slice(0, 4), 36) % 9));
  const link = (href: string): string => `<a href="${escapeXml(href)}">${escapeXml(href)}</a>`;
  return {
    guid: comments,
    guidIsAddress: false,
    link: address,
    title,
    summaryHtml: [
      `<p>Article URL: ${link(address)}</p>`,
      `<p>Comments URL: ${link(comments)}</p>`,
      `<p>Points: ${points}</p>`,
      `<p># Comments: ${Math.floor(points / 3)}</p>`,
    ].join('\n'),
    contentHtml: null,
    author: null,
    published: appears,
    updated: null,
    categories: [],
    comments,
  };
}

/** Like a news search: the link leads through the aggregator, and the outlet's name is in the title. */
function redirected(aggregator: Outlet, article: Article, { id, appears }: PickUp): FeedEntry {
  const { outlet, title } = article;
  const link = `${aggregator.home}rss/articles/${id}?oc=5`;
  return {
    guid: id,
    guidIsAddress: false,
    link,
    title: `${title} - ${outlet.name}`,
    summaryHtml: `<a href="${escapeXml(link)}" target="_blank">${escapeXml(title)}</a>&nbsp;&nbsp;<font color="#6f6f6f">${escapeXml(outlet.name)}</font>`,
    contentHtml: null,
    author: null,
    published: appears,
    updated: null,
    categories: [],
    source: { name: outlet.name, home: outlet.home },
  };
}

/** Like a planet: the article's own words, with a mark of the aggregator on the link. */
function collected(aggregator: Outlet, article: Article, { appears }: PickUp): FeedEntry {
  const { outlet, title, address, summary } = article;
  const mark = `utm_source=${aggregator.key}&utm_medium=feed`;
  return {
    guid: address,
    guidIsAddress: true,
    link: `${address}${address.includes('?') ? '&' : '?'}${mark}`,
    title: `${outlet.name}: ${title}`,
    summaryHtml: `<p>${escapeXml(summary)}</p>`,
    contentHtml: null,
    author: article.author,
    published: appears,
    updated: null,
    categories: [],
    source: { name: outlet.name, home: outlet.home },
  };
}
