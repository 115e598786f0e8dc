import type { Page } from '../parse/html-page.ts';
import { structuredData } from '../parse/structured-data.ts';

/** What a page states about its article outside of the text; compared with the text and never shown. */
export interface PageStatements {
  /** Headings and titles of the page, in plain form. */
  readonly titles: readonly string[];
  /** Descriptions in plain form: often the standfirst. */
  readonly descriptions: readonly string[];
  /** The text that JSON-LD states, in plain form; empty if the page states none. */
  readonly body: string;
}

export function pageStatements(page: Page): PageStatements {
  const stated = new Map<string, string[]>();
  for (const value of structuredData(page)) collect(value, stated, 0);
  const meta = (selector: string): string => page.querySelector(selector)?.getAttribute('content') ?? '';
  const plain = (texts: readonly string[]): string[] => texts.map(plainForm).filter((text) => text !== '');
  return {
    titles: plain([
      ...[...page.querySelectorAll('h1')].map((heading) => heading.textContent),
      meta('meta[property="og:title"]'),
      page.querySelector('title')?.textContent ?? '',
      ...(stated.get('headline') ?? []),
    ]),
    descriptions: plain([
      meta('meta[property="og:description"]'),
      meta('meta[name="description"]'),
      ...(stated.get('description') ?? []),
    ]),
    body: plain(stated.get('articleBody') ?? []).join(' '),
  };
}

/** Letters and digits only: the same text in markup and in data differs in spaces and quotation marks. */
export function plainForm(text: string): string {
  return text
    .replaceAll(/<[^>]{0,500}>|&#?\w{1,8};/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const fields: ReadonlySet<string> = new Set(['headline', 'description', 'articleBody']);
const depthMax = 6;

function collect(value: unknown, found: Map<string, string[]>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'string') collect(inner, found, depth + 1);
    else if (fields.has(key)) found.set(key, [...(found.get(key) ?? []), inner]);
  }
}
