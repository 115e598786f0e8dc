import type { Outlet } from '../dispatch.ts';
import type { Micros } from '../instant.ts';
import { dayPath } from '../instant.ts';
import type { DispatchCode } from '../plan/dispatch-code.ts';
import { openCode, sealCode } from '../plan/dispatch-code.ts';

/** The address of an article. It never changes, even if the headline it was made from does. */
export function articleAddress(
  seed: number,
  outlet: Outlet,
  article: { readonly code: DispatchCode; readonly title: string; readonly day: Micros },
): string {
  const id = sealCode(seed, article.code);
  const root = `http://${outlet.host}/`;
  if (outlet.shape === 'video') return `${root}watch?v=${id}`;
  if (outlet.shape === 'preprints') return `${root}abs/${id}`;
  const slug = slugOf(outlet, article.title, id);
  if (outlet.shape === 'releases') return `${outlet.home}releases/tag/${slug}`;
  if (outlet.shape === 'podcast') return `${outlet.home}episodes/${slug}`;
  const day = dayPath(article.day);
  const paths = [`${day}/${slug}`, `articles/${slug}`, `${day.slice(0, 7)}/${slug}.html`, `p/${slug}`];
  return `${outlet.home}${paths[outlet.index % paths.length]}`;
}

const slugWordsMax = 8;

/** Words of an English title, then the id; in Chinese the id alone. */
function slugOf({ language }: Outlet, title: string, id: string): string {
  if (language === 'zh') return id;
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [...words.slice(0, slugWordsMax), id].join('-');
}

/**
 * The code of the dispatch that an address or path leads to, straight or through an aggregator; undefined where it
 * leads to none. Marks that aggregators add to a query are looked past.
 */
export function codeInAddress(seed: number, address: string): DispatchCode | undefined {
  const [path = '', query = ''] = address.split('?');
  const [, id] =
    /(?:^|&)(?:v|id)=([0-9a-z]{11})(?:&|$)/.exec(query) ?? /[/-]([0-9a-z]{11})(?:\.html)?$/.exec(path) ?? [];
  return id === undefined ? undefined : openCode(seed, id);
}
