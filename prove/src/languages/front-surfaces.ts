import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { EditionTruth } from './edition-truth.ts';
import type { Readers, Shown, Surface } from './language-surfaces.ts';
import { get, pagePath, plain, sourcesIn } from './language-surfaces.ts';

/** Stories, editions and items that pages present outside of lists. */

const lastSegment = (href: string): string => (href.split(/[?#]/)[0] ?? '').split('/').at(-1) ?? '';
const text = (html: string | undefined): string => plain(html ?? '').trim();

function partOf(page: string, pattern: RegExp): string {
  return pattern.exec(page)?.[1] ?? '';
}

/** A story with its digest and its counts. */
function storyIn(article: string): Shown {
  const [, href = '', title = ''] =
    /<h2[^>]*><a\s+href="([^"]+)"[^>]*>([\s\S]*?)<\/a\s*>/.exec(article) ?? [];
  const paragraphs = [...article.matchAll(/<p(?: class="opening")?(?: lang="\w+")?\s*>([\s\S]*?)<\/p>/g)];
  return {
    key: lastSegment(href),
    title: text(title),
    digest: paragraphs.map(([, one]) => text(one)).join(' '),
    ...sourcesIn(article),
  };
}

/** The front page: lead, second stories, box of the daily and dailies of the last days. */
export function frontSurfaces({ port }: Readers, editions: readonly EditionTruth[]): readonly Surface[] {
  const front = (
    name: string,
    read: (page: string, language: ReaderLanguage) => readonly Shown[],
  ): Surface => ({
    name: `front page, ${name}`,
    isSameForAll: false,
    isOneLanguage: true,
    read: async (language) => read(await get(port, pagePath(language, '/')), language),
  });
  const headline = (key: string, title: string, language: ReaderLanguage): Shown => ({
    key,
    title,
    isHeadline: true,
    titles: editions.find((one) => `${one.kind} ${one.period}` === key)?.headlinesIn(language) ?? new Set(),
  });
  return [
    front('lead and second stories', (page) =>
      [
        partOf(page, /<article class="lead-story">([\s\S]*?)<\/article>/),
        ...[...page.matchAll(/<article data-entry="[^"]+">([\s\S]*?)<\/article>/g)].map(
          ([, one = '']) => one,
        ),
      ]
        .filter((article) => article !== '')
        .map(storyIn),
    ),
    front('daily', (page, language) => {
      const box = partOf(page, /<section class="edition-box[^>]*>([\s\S]*?)<\/section>/);
      const links = [...box.matchAll(/<a\s+href="([^"]+)"\s*>([\s\S]*?)<\/a\s*>/g)];
      const [head, , ...rest] = links;
      if (head === undefined) return [];
      const lines = rest.filter(([, href = '']) => href.includes('/items/'));
      return [
        headline(`daily ${lastSegment(head[1] ?? '')}`, text(head[2]), language),
        ...lines.map(([, href = '', title]) => ({ key: lastSegment(href), title: text(title) })),
      ];
    }),
    front('last days', (page, language) =>
      [
        ...partOf(page, /<section aria-labelledby="days">([\s\S]*?)<\/section>/).matchAll(
          /<li data-entry="([^"]+)">\s*<a [^>]*>([\s\S]*?)<\/a\s*>/g,
        ),
      ].map(([, period = '', title]) => headline(`daily ${period}`, text(title), language)),
    ),
  ];
}

/** The box of the story, on the page of one of its items. */
export function itemSurface({ port }: Readers, itemId: string, storyId: string): Surface {
  return {
    name: 'item page, box of its story',
    isSameForAll: true,
    read: async (language) => {
      const page = await get(port, pagePath(language, `/items/${itemId}`));
      const box = partOf(page, /<section class="box">([\s\S]*?)<\/section>/);
      return [{ key: storyId, title: text(partOf(box, /<a [^>]*>([\s\S]*?)<\/a\s*>/)), ...sourcesIn(box) }];
    },
  };
}
