import { basename, dirname, relative } from 'node:path/posix';

import type { NoteLink } from './note-link.ts';

/** Where a link leads in the knowledge base. */
export interface LinkTarget {
  /** The file, relative to the root. */
  readonly path: string;
  /** The heading in a file of many notes; null in a separate note or an attachment. */
  readonly heading: string | null;
  /** No other note has this name, so that a wikilink needs no more than it. */
  readonly isUniqueName: boolean;
}

/** The link as it must be written in the file at `from`. */
export function renderLink(raw: string, link: NoteLink, from: string, target: LinkTarget): string {
  return link.kind === 'wiki' ? wikiLink(raw, link, target) : markdownLink(link, from, target);
}

function wikiLink(raw: string, link: NoteLink, { path, heading, isUniqueName }: LinkTarget): string {
  const isNote = /\.md$/i.test(path);
  const name = isNote ? basename(path).replace(/\.md$/i, '') : basename(path);
  // The place that the person named exists in the new file too: its heading or block moved with the text.
  const anchor = link.anchor ?? (heading === null ? null : safeAnchor(heading));
  const isSame = heading === null && isUniqueName && link.path.toLowerCase() === name.toLowerCase();
  if (isSame) return raw;
  const written = isUniqueName ? name : path.replace(/\.md$/i, '');
  // What the person read stays what they read.
  const label = link.label ?? (link.isEmbed || (heading === null && isUniqueName) ? null : shown(link.path));
  const end = label === null ? '' : `${/\\\|/.test(raw) ? '\\' : ''}|${label}`;
  return `${link.isEmbed ? '!' : ''}[[${written}${anchor === null ? '' : `#${anchor}`}${end}]]`;
}

function shown(path: string): string {
  return basename(path).replace(/\.md$/i, '');
}

/** These end a wikilink or its anchor. */
function safeAnchor(anchor: string): string {
  return withoutLinks(anchor)
    .replace(/[[\]|#^]+/g, ' ')
    .trim();
}

function markdownLink(link: NoteLink, from: string, { path, heading }: LinkTarget): string {
  const way = relative(dirname(from), path).split('/').map(encodeURIComponent).join('/');
  const anchor = link.anchor ?? (heading === null ? null : slug(heading));
  const address = `${way}${anchor === null ? '' : `#${encodeURI(anchor)}`}`;
  if (link.kind === 'definition') return `[${link.label ?? ''}]: ${address}${link.title}`;
  return `${link.isEmbed ? '!' : ''}[${link.label ?? ''}](${address}${link.title})`;
}

/** A heading shows the text of its links only. */
function withoutLinks(heading: string): string {
  return heading.replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1');
}

/** A heading as most readers of Markdown address it. */
function slug(heading: string): string {
  return withoutLinks(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
