import { secondsOf } from '../sources/calendar-time.ts';
import type { ConvertedFile } from './converted-note.ts';
import { noteMarkdown } from './converted-note.ts';
import { htmlMarkdown } from './html-markdown.ts';
import type { HtmlElement, HtmlNode } from './html-tree.ts';
import { findElement, hasClass, isElement, parseHtml, textOf } from './html-tree.ts';
import { inlineText } from './markdown-text.ts';
import { spokenDate } from './spoken-date.ts';

/** Whether the start of a file is that of a page that Notion exported. */
export function isNotionPage(head: string): boolean {
  return /<article id="[0-9a-f-]{32,36}" class="page\b/.test(head);
}

/** A page of Notion's HTML export, or null if it is none. */
export function notionMarkdown(source: string): ConvertedFile | null {
  const article = findElement(parseHtml(source), ({ name }) => name === 'article');
  if (article === null) return null;
  const table = findElement([article], (one) => one.name === 'table' && hasClass(one, 'properties'));
  const heading = findElement([article], (one) => hasClass(one, 'page-title'));
  const icon = findElement([article], (one) => hasClass(one, 'page-header-icon'));
  const rows = table === null ? [] : propertyRows(table);
  const parts = rewrite([article], new Set([table, heading, icon]));
  const body = htmlMarkdown(parts, { inline: inlineElement, address: pageAddress });
  const title = heading === null ? '' : oneLine(textOf(heading.children));
  const links = rows.flatMap((row) => row.links.map((link) => `- ${inlineText(row.name)}: ${link}`));
  const text = [title === '' ? '' : `# ${inlineText(title)}`, links.join('\n'), body];
  const taken = new Set(['title', 'icon']);
  const named = rows.map(({ name, value }) => {
    const free = Array.from({ length: 99 }, (_, at) => (at === 0 ? name : `${name} ${at + 1}`));
    const key = free.find((one) => !taken.has(one)) ?? name;
    taken.add(key);
    return [key, value === '' ? null : value] as const;
  });
  const properties = [
    ['title', title],
    ...named,
    ['icon', icon === null ? '' : oneLine(textOf(icon.children))],
  ] as const;
  const markdown = noteMarkdown(properties, text.filter((part) => part.trim() !== '').join('\n\n'));
  return { markdown, modifiedSeconds: editedSeconds(rows) };
}

interface PropertyRow {
  readonly kind: string;
  readonly name: string;
  readonly value: unknown;
  /** Links to other pages, which front matter cannot contain. */
  readonly links: readonly string[];
}

function propertyRows(table: HtmlElement): readonly PropertyRow[] {
  const rows: PropertyRow[] = [];
  const visit = (element: HtmlElement): void => {
    for (const child of element.children) {
      if (!isElement(child)) continue;
      if (child.name === 'tr') rows.push(propertyRow(child));
      else visit(child);
    }
  };
  visit(table);
  return rows.filter(({ name }) => name !== '');
}

function propertyRow(row: HtmlElement): PropertyRow {
  const cell = (name: string): HtmlElement | undefined =>
    row.children.filter(isElement).find((one) => one.name === name);
  const kind = /property-row-(\w+)/.exec(row.attributes['class'] ?? '')?.[1] ?? '';
  const written = oneLine(textOf(cell('th')?.children ?? []));
  const children = cell('td')?.children ?? [];
  const name = kind === 'multi_select' && /^tags?$/i.test(written) ? 'tags' : propertyName(kind, written);
  const links = children
    .filter(isElement)
    .filter((one) => one.name === 'a' && textOf(one.children).trim() !== one.attributes['href'])
    .map((one) => htmlMarkdown([one], { address: pageAddress }));
  return { kind, name, value: propertyValue(kind, children), links };
}

/** The dates of a page get the names that other notes use. */
function propertyName(kind: string, written: string): string {
  if (kind === 'created_time') return 'created';
  return kind === 'last_edited_time' ? 'modified' : written;
}

function propertyValue(kind: string, children: readonly HtmlNode[]): unknown {
  if (kind === 'multi_select')
    return children
      .filter(isElement)
      .map((one) => oneLine(textOf(one.children)))
      .filter((text) => text !== '');
  const box = findElement(children, (one) => hasClass(one, 'checkbox'));
  if (kind === 'checkbox' && box !== null) return hasClass(box, 'checkbox-on');
  const text = oneLine(textOf(children));
  const isTime = kind === 'created_time' || kind === 'last_edited_time';
  return isTime ? (spokenDate(text) ?? text) : text;
}

function editedSeconds(rows: readonly PropertyRow[]): number | null {
  const row =
    rows.find(({ kind }) => kind === 'last_edited_time') ?? rows.find(({ kind }) => kind === 'created_time');
  return typeof row?.value === 'string' ? secondsOf(row.value) : null;
}

/** The elements of a page as the common rules know them. Every item of a list is a list of its own in Notion. */
function rewrite(nodes: readonly HtmlNode[], without: ReadonlySet<HtmlElement | null>): HtmlNode[] {
  const out: HtmlNode[] = [];
  for (const node of nodes) {
    if (!isElement(node)) {
      out.push(node);
      continue;
    }
    if (without.has(node)) continue;
    const element = rewriteElement(node, without);
    const last = out.at(-1);
    if (isElement(last) && isSameList(last, element)) last.children.push(...element.children);
    else out.push(element);
  }
  return out;
}

function rewriteElement(element: HtmlElement, without: ReadonlySet<HtmlElement | null>): HtmlElement {
  const { name, attributes, children } = element;
  if (hasClass(element, 'checkbox')) {
    const checked: Record<string, string> = hasClass(element, 'checkbox-on') ? { checked: '' } : {};
    return { name: 'input', attributes: { type: 'checkbox', ...checked }, children: [] };
  }
  const formula = hasClass(element, 'katex')
    ? findElement(children, (one) => one.name === 'annotation')
    : null;
  if (formula !== null) {
    const isBlock = findElement(children, (one) => one.attributes['display'] === 'block') !== null;
    return {
      name: 'tex',
      attributes: { display: isBlock ? 'block' : '' },
      children: [textOf(formula.children)],
    };
  }
  const isCallout = name === 'figure' && hasClass(element, 'callout');
  return { name: isCallout ? 'blockquote' : name, attributes, children: rewrite(children, without) };
}

function isSameList(one: HtmlElement, other: HtmlElement): boolean {
  return (
    /^[uo]l$/.test(one.name) &&
    one.name === other.name &&
    one.attributes['class'] === other.attributes['class']
  );
}

function inlineElement({ name, attributes, children }: HtmlElement): string | null {
  if (name !== 'tex') return null;
  const formula = textOf(children).replace(/\s+/g, ' ').trim();
  return attributes['display'] === 'block' ? `$$${formula}$$` : `$${formula}$`;
}

/** Addresses inside the page are ids of blocks, which the text does not have. */
function pageAddress(address: string): string | null {
  return address.startsWith('#') ? '' : null;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
