import { resolveAddress } from './article-address.ts';
import { textConstruct } from './atom-text.ts';
import type { EntryDraft, FeedDraft, RichText } from './feed-draft.ts';
import { noPace } from './feed-draft.ts';
import { enclosure, mediaImage, mediaText, personName, readEnclosures } from './media-elements.ts';
import type { XmlElement } from './xml-tree.ts';
import { childrenNamed, firstChild, innerText, lineOf } from './xml-tree.ts';

/** Atom 1.0 and 0.3; a single entry document is a feed with one entry. */
export function readAtom(root: XmlElement): FeedDraft {
  const entries = root.name === 'atom:entry' ? [root] : childrenNamed(root, 'atom:entry');
  return {
    title: firstText(root, 'atom:title', 'dc:title'),
    homepage: alternateLink(root),
    id: lineOf(root, 'atom:id'),
    language: root.language ?? lineOf(root, 'dc:language'),
    published: lineOf(root, 'atom:published', 'atom:issued', 'atom:created'),
    updated: lineOf(root, 'atom:updated', 'atom:modified', 'dc:date', 'dcterms:modified'),
    pace: noPace,
    hubs: linksOf(root, 'hub'),
    self: linksOf(root, 'self')[0] ?? null,
    newAddress: null,
    entries: entries.map(readEntry),
  };
}

function readEntry(entry: XmlElement): EntryDraft {
  const source = firstChild(entry, 'atom:source');
  const content = childrenNamed(entry, 'atom:content');
  const people = childrenNamed(entry, 'atom:author').concat(childrenNamed(entry, 'dc:creator'));
  const id = lineOf(entry, 'atom:id');
  return {
    guid: id,
    link:
      originalLink(entry) ??
      alternateLink(entry) ??
      contentSource(content) ??
      (isWebAddress(id) ? resolveAddress(id, entry.base) : null),
    title: firstText(entry, 'atom:title', 'media:title', 'dc:title'),
    summary: firstText(entry, 'atom:summary', 'dc:description') ?? mediaText(entry),
    content: content.map(textConstruct).find(({ text }) => text.trim() !== '') ?? null,
    published: lineOf(
      entry,
      'atom:published',
      'atom:issued',
      'atom:created',
      'dc:date',
      'dcterms:issued',
      'rss:pubdate',
    ),
    updated: lineOf(entry, 'atom:updated', 'atom:modified', 'dcterms:modified'),
    authors: people.map(personName),
    categories: childrenNamed(entry, 'atom:category').map(
      ({ attributes }) => attributes['label'] ?? attributes['term'] ?? '',
    ),
    language: entry.language,
    image: mediaImage(entry),
    enclosures: [
      ...readEnclosures(entry),
      ...linkElements(entry, 'enclosure').flatMap(({ attributes, base }) => {
        const url = resolveAddress(attributes['href'], base);
        return url === null ? [] : [enclosure(url, attributes)];
      }),
    ],
    comments: linksOf(entry, 'replies')[0] ?? null,
    origin:
      source === null
        ? null
        : { name: firstText(source, 'atom:title')?.text.trim() ?? '', url: alternateLink(source) },
  };
}

function linkElements(element: XmlElement, rel: string): readonly XmlElement[] {
  return childrenNamed(element, 'atom:link').filter((link) => {
    const own = (link.attributes['rel'] ?? 'alternate').trim().toLowerCase();
    return (
      own === rel ||
      own === `http://www.iana.org/assignments/relation/${rel}` ||
      (own === '' && rel === 'alternate')
    );
  });
}

function linksOf(element: XmlElement, rel: string): readonly string[] {
  return linkElements(element, rel).flatMap(
    (link) => resolveAddress(link.attributes['href'] ?? innerText(link), link.base) ?? [],
  );
}

/** Of several links, prefers an HTML page. */
function alternateLink(element: XmlElement): string | null {
  const links = linkElements(element, 'alternate');
  const pages = links.filter(({ attributes }) =>
    /^(?:text\/html|application\/xhtml\+xml|)$/u.test(attributes['type'] ?? ''),
  );
  for (const link of [...pages, ...links]) {
    const address = resolveAddress(link.attributes['href'] ?? innerText(link), link.base);
    if (address !== null) return address;
  }
  return null;
}

function originalLink(entry: XmlElement): string | null {
  const original = firstChild(entry, 'feedburner:origlink', 'pheedo:origlink');
  return original === null ? null : resolveAddress(innerText(original), original.base);
}

function contentSource(content: readonly XmlElement[]): string | null {
  return (
    content
      .map(({ attributes, base }) => resolveAddress(attributes['src'], base))
      .find((url) => url !== null) ?? null
  );
}

function isWebAddress(id: string | null): boolean {
  return /^https?:\/\//iu.test(id ?? '');
}

function firstText(element: XmlElement, ...names: readonly string[]): RichText | null {
  for (const name of names)
    for (const child of childrenNamed(element, name)) {
      const rich = textConstruct(child);
      if (rich.text.trim() !== '') return rich;
    }
  return null;
}
