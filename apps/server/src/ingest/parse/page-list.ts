import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { resolveAddress } from './article-address.ts';
import { assembleFeed } from './assemble-feed.ts';
import { blockedPage } from './blocked-page.ts';
import type { NotAFeed, OpenedDocument } from './feed-document.ts';
import type { EntryDraft } from './feed-draft.ts';
import { emptyEntry, emptyFeed } from './feed-draft.ts';
import type { ParsedFeed } from './feed.ts';
import type { PageElement } from './html-page.ts';
import { openPage } from './html-page.ts';

/**
 * CSS selectors for the parts of an entry on a page without a feed. `time@datetime` selects an attribute instead of the
 * text.
 */
export interface PageListRules {
  readonly entry: string;
  /** By default the first heading, else the text of the link. */
  readonly title?: string;
  /** By default the entry itself if it is a link, else the first link in it. */
  readonly link?: string;
  readonly date?: string;
  readonly summary?: string;
}

const entriesMax = 500;

/** Refuses a page on which the selectors match nothing: a redesign must not look like an empty list. */
export function parsePageList(
  { text, options }: OpenedDocument,
  url: string,
  rules: PageListRules,
): Result<ParsedFeed, NotAFeed> {
  const blocked = blockedPage(text);
  if (blocked !== null) return refused(blocked);
  const page = openPage(text);
  const base = resolveAddress(page.querySelector('base[href]')?.getAttribute('href'), url) ?? url;
  let elements: readonly PageElement[];
  let entries: readonly EntryDraft[];
  try {
    elements = [...page.querySelectorAll(rules.entry)];
    entries = elements.slice(0, entriesMax).flatMap((element) => readElement(element, rules, base) ?? []);
  } catch {
    return refused('unreadable selector');
  }
  if (entries.length === 0) return refused('no entries found');
  const draft = {
    ...emptyFeed,
    title: { text: page.querySelector('title')?.textContent ?? '', form: 'plain' as const },
    homepage: url,
    language: page.documentElement?.getAttribute('lang') ?? null,
    entries,
  };
  const entriesBeyondBound = Math.max(0, elements.length - entriesMax);
  return accepted(assembleFeed(draft, { ...options, format: 'page list', entriesBeyondBound }));
}

function readElement(entry: PageElement, rules: PageListRules, base: string): EntryDraft | null {
  const linked = rules.link === undefined ? ownLink(entry) : select(entry, rules.link, 'href');
  const link = resolveAddress(linked, base);
  const heading = entry.querySelector('h1, h2, h3, h4, h5, h6');
  const title =
    rules.title === undefined
      ? (heading ?? entry.querySelector('a') ?? entry).textContent
      : select(entry, rules.title);
  if (link === null || (title ?? '').trim() === '') return null;
  const summary = rules.summary === undefined ? null : select(entry, rules.summary);
  return {
    ...emptyEntry,
    link,
    title: { text: title ?? '', form: 'plain' },
    summary: summary === null ? null : { text: summary, form: 'plain' },
    published: rules.date === undefined ? null : select(entry, rules.date),
  };
}

function ownLink(entry: PageElement): string | null {
  return (entry.matches('a[href]') ? entry : entry.querySelector('a[href]'))?.getAttribute('href') ?? null;
}

/** `selector@attribute`; without a selector, the attribute of the entry itself. */
function select(entry: PageElement, rule: string, attributeByDefault: string | null = null): string | null {
  const at = rule.lastIndexOf('@');
  const selector = (at === -1 ? rule : rule.slice(0, at)).trim();
  const attribute = at === -1 ? attributeByDefault : rule.slice(at + 1).trim();
  const element = selector === '' ? entry : entry.querySelector(selector);
  if (element === null) return null;
  return attribute === null ? element.textContent : element.getAttribute(attribute);
}
