import { secondsOf } from '../sources/calendar-time.ts';
import type { ConvertedFile } from './converted-note.ts';
import { noteMarkdown } from './converted-note.ts';
import { htmlMarkdown } from './html-markdown.ts';
import type { HtmlElement, HtmlNode } from './html-tree.ts';
import { findElement, hasClass, isElement, parseHtml, textOf } from './html-tree.ts';
import { spokenDate } from './spoken-date.ts';

/** Whether the start of a file is that of an entry of Apple's Journal. */
export function isJournalEntry(head: string): boolean {
  return /class=['"]pageContainer['"]/.test(head) && /class=['"](?:pageHeader|bodyText)['"]/.test(head);
}

/** An entry with its date, its pictures and the places, people and moods attached to it. */
export function journalMarkdown(source: string, name: string): ConvertedFile {
  const tree = parseHtml(source);
  const header = findElement(tree, (one) => hasClass(one, 'pageHeader'));
  const heading = findElement(tree, (one) => hasClass(one, 'title'));
  const spoken = header === null ? '' : textOf(header.children).trim();
  const date = /\d{4}-\d{2}-\d{2}/.exec(name)?.[0] ?? spokenDate(spoken) ?? '';
  const body = findElement(tree, (one) => one.name === 'body');
  const markdown = htmlMarkdown(rewrite(body?.children ?? tree));
  const title = heading === null ? spoken : textOf(heading.children).trim();
  const properties = [
    ['title', title],
    ['type', 'journal'],
    ['date', date === '' ? spoken : date.slice(0, 10)],
  ] as const;
  return { markdown: noteMarkdown(properties, markdown), modifiedSeconds: secondsOf(date.slice(0, 10)) };
}

function rewrite(nodes: readonly HtmlNode[]): HtmlNode[] {
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    const children = rewrite(node.children);
    return { ...node, name: nameOf(node), children };
  });
}

function nameOf(element: HtmlElement): string {
  if (hasClass(element, 'title')) return 'h1';
  if (hasClass(element, 'reflectionPrompt')) return 'blockquote';
  return hasClass(element, 'pageHeader') || hasClass(element, 'gridItem') ? 'p' : element.name;
}
