import { resolveAddress } from './article-address.ts';
import type { RichText } from './feed-draft.ts';
import type { Enclosure } from './feed.ts';
import type { XmlElement } from './xml-tree.ts';
import { childrenNamed, firstChild, innerText } from './xml-tree.ts';

const enclosuresMax = 10;

/** Media RSS elements of an entry, directly or in nested groups. */
function mediaElements(entry: XmlElement, name: string): readonly XmlElement[] {
  const groups = childrenNamed(entry, 'media:group');
  const contents = [entry, ...groups].flatMap((element) => childrenNamed(element, 'media:content'));
  return [entry, ...groups, ...contents].flatMap((element) => childrenNamed(element, name));
}

/** The description of a video or podcast, for entries without text. */
export function mediaText(entry: XmlElement): RichText | null {
  for (const element of [
    ...mediaElements(entry, 'media:description'),
    ...childrenNamed(entry, 'itunes:subtitle'),
  ]) {
    const text = innerText(element);
    if (text.trim() !== '') return { text, form: 'unknown' };
  }
  return null;
}

export function mediaImage(entry: XmlElement): string | null {
  const pictures = mediaElements(entry, 'media:content').filter(isPicture);
  for (const element of [...mediaElements(entry, 'media:thumbnail'), ...pictures]) {
    const address = resolveAddress(element.attributes['url'], element.base);
    if (address !== null) return address;
  }
  const podcast = firstChild(entry, 'itunes:image');
  return podcast === null ? null : resolveAddress(podcast.attributes['href'], podcast.base);
}

function isPicture({ attributes }: XmlElement): boolean {
  return attributes['medium'] === 'image' || attributes['type']?.startsWith('image/') === true;
}

export function readEnclosures(entry: XmlElement): readonly Enclosure[] {
  const media = mediaElements(entry, 'media:content').filter((element) => !isPicture(element));
  return [...childrenNamed(entry, 'rss:enclosure'), ...media]
    .slice(0, enclosuresMax)
    .flatMap(({ attributes, base }) => {
      const url = resolveAddress(attributes['url'] ?? attributes['href'], base);
      return url === null ? [] : [enclosure(url, attributes)];
    });
}

export function enclosure(url: string, attributes: Readonly<Record<string, string>>): Enclosure {
  const bytes = Number(attributes['length'] ?? attributes['filesize'] ?? Number.NaN);
  return {
    url,
    type: attributes['type']?.trim() ?? null,
    bytes: Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null,
  };
}

/** `me@example.com (Jane Doe)`, `Jane Doe <me@example.com>` and Atom's elements; the name, not the address. */
export function personName(element: XmlElement): string {
  const name = firstChild(element, 'atom:name', 'rss:name');
  const text = innerText(name ?? element)
    .trim()
    .slice(0, 500);
  const named = /^\S+@\S+\s*\((?<name>[^()]+)\)$/u.exec(text)?.groups?.['name'];
  return named ?? text.replace(/\s*<[^<>]*@[^<>]*>\s*$/u, '');
}
