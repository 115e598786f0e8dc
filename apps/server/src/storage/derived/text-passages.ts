import { normalizeSearchText } from '../../foundation/search-text.ts';

const passageChars = 240;
const charsBefore = 80;

/**
 * The line with a term from each part of a text, shortened around the term. A part of a line that another passage has
 * shown already is left out.
 */
export function passagesOf(parts: readonly string[], terms: readonly string[]): readonly string[] {
  const passages: string[] = [];
  for (const [index, part] of parts.entries()) {
    const term = terms[index] ?? '';
    if (passages.some((passage) => normalizeSearchText(passage).includes(term))) continue;
    const passage = passageOf(part, term);
    if (passage !== null) passages.push(passage);
  }
  return passages;
}

/** Folding changes the length of few characters, so the place of the term is about right. Never within a character. */
function passageOf(part: string, term: string): string | null {
  const folded = normalizeSearchText(part);
  const found = folded.indexOf(term);
  if (found < 0) return null;
  const characters = Array.from(part);
  const place = Array.from(folded.slice(0, found)).length;
  const isBreak = (at: number): boolean => characters[at] === '\n' || characters[at] === '\f';
  let start = place;
  while (start > Math.max(0, place - charsBefore) && !isBreak(start - 1)) start -= 1;
  let end = place;
  while (end < Math.min(characters.length, start + passageChars) && !isBreak(end)) end += 1;
  const middle = characters.slice(start, end).join('').trim();
  const isCut = start > 0 && !isBreak(start - 1);
  return `${isCut ? '…' : ''}${middle}${end < characters.length && !isBreak(end) ? '…' : ''}`;
}
