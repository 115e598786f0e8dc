import { readFileSync, readdirSync } from 'node:fs';

import { html } from 'ghtml';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** A guide of `docs/guides`, shown by the repository and the site. */
export interface Guide {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  /** Its first sentences, plain. */
  readonly opening: string;
  readonly markdown: string;
}

export interface RenderedGuide {
  readonly text: string;
  readonly headings: readonly { readonly id: string; readonly label: string }[];
}

const folder = new URL('../../../../../../docs/guides/', import.meta.url);

export function readGuides(): readonly Guide[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => readGuide(file.slice(0, -'.md'.length), readFileSync(new URL(file, folder), 'utf8')));
}

function readGuide(name: string, markdown: string): Guide {
  // Rendered on demand: rendering all guides would take about 4 % of the start of a process.
  const textOf = (part: number): string => plain(rendered(markdown.split(/\n{2,}/, 2)[part] ?? ''));
  return {
    name,
    path: `/docs/guides/${name}`,
    get title() {
      return textOf(0);
    },
    get opening() {
      return textOf(1);
    },
    markdown,
  };
}

/** The target of a guide's link on the site; null for files that are only in the repository. */
export type LinkTarget = (link: string) => string | null;

/** Raw HTML in the Markdown is shown as text. */
export function renderGuide({ markdown }: Guide, targetOf: LinkTarget): RenderedGuide {
  const headings: { id: string; label: string }[] = [];
  const text = rendered(markdown)
    .replaceAll(/<a href="([^"]*)"([^>]*)>(.*?)<\/a>/gs, (_, link: string, rest: string, label: string) => {
      const target = targetOf(link);
      return target === null ? label : `<a href="${target}"${rest}>${label}</a>`;
    })
    .replaceAll(/<h([23])>(.*?)<\/h\1>/gs, (_, level: string, content: string) => {
      const id = slug(plain(content));
      if (level === '2') headings.push({ id, label: plain(content) });
      return `<h${level} id="${id}">${content}</h${level}>`;
    })
    .replaceAll(/<table>.*?<\/table>/gs, withColumnNames)
    .replaceAll('<pre>', '<pre tabindex="0">');
  return { text, headings };
}

function rendered(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** On a phone each row is a card whose cells name their column. */
function withColumnNames(table: string): string {
  const names = [...table.matchAll(/<th[^>]*>(.*?)<\/th>/gs)].map(([, name = '']) => plain(name));
  let cell = 0;
  return table.replaceAll(
    /<td[^>]*>(.*?)<\/td>/gs,
    (_, content: string) =>
      html`<td data-column="${names[cell++ % names.length] ?? ''}"><span>!${content}</span></td>`,
  );
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** The text of rendered Markdown, which escapes these four characters alone. */
function plain(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The same ids as in the repository, so that links work in both places. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
