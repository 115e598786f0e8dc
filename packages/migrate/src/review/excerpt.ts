import { clip, printable } from '../cli/terminal.ts';

const frontMatter = /^---[ \t]*\r?\n(?:[^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;
/** The opening of a chunk may end inside its front matter. */
const openFrontMatter = /^---[ \t]*\r?\n(?=[\w" -]+:)[^]*$/;

/** The first words of a note as a person reads them: without its properties, addresses and marks. */
export function excerpt(opening: string, columns: number): string {
  const text = opening.replace(frontMatter, '').replace(openFrontMatter, '');
  const words = text
    .replace(/!\[([^\]\n]*)\]\([^)\n]*\)?/g, '$1')
    .replace(/\[([^\]\n]*)\]\([^)\n]*\)?/g, '$1')
    .replace(/<!--[^]*?(?:-->|$)/g, ' ')
    .replace(/^[ \t]*#{1,6}[ \t]+(.*\S)[ \t]*$/gm, '$1 ·')
    .replace(/^[ \t]*>[ \t]+/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/ ·$/, '')
    .trim();
  if (words === '') return text.trim() === '' && opening.trim() !== '' ? '(properties only)' : '(no words)';
  return clip(printable(words), columns);
}
