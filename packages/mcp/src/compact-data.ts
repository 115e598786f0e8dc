import { visibleText } from './markdown/markdown-text.ts';

/** An item of a list, hot topic, report or story. */
export interface ListedItem {
  readonly id: string;
  readonly title: string;
  readonly summary?: string;
  readonly category?: string;
  readonly source: { readonly name: string };
  readonly links: { readonly original: string; readonly story?: string };
  readonly publishedAt: string | null;
  readonly discoveredAt?: string;
}

/** What an agent needs of an item in a list, under the names of the API; the tool `item` returns all fields. */
export function compactItem(item: ListedItem): Record<string, unknown> {
  const { id, title, summary, category, source, links, publishedAt, discoveredAt } = item;
  const times = publishedAt === null ? { discoveredAt } : { publishedAt };
  const rest = withoutEmpty({
    summary,
    category,
    source: { name: source.name },
    links: { original: links.original },
    storyId: links.story?.slice(links.story.lastIndexOf('/') + 1),
    ...Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time?.replace(/\.\d+Z$/, 'Z')])),
  });
  return { id, title, ...rest };
}

/** An entry of a ranking or report: its story leads to all its items. */
export function compactEntry(item: ListedItem): Record<string, unknown> {
  const { id, ...rest } = compactItem(item);
  return 'storyId' in rest ? rest : { id, ...rest };
}

export function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}

/** The data without invisible characters in its texts. */
export function visibleData(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleData);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visibleData(one)]));
}
