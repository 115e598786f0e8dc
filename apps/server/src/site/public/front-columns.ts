/** A section of the front page, which fills the shorter column or spans the page below both. */
export interface Section {
  readonly render: (place: Place) => string;
  /** About how high it is in each column of a wide page, in pixels. */
  readonly heights: Readonly<Record<'left' | 'right', number>>;
}

export type Place = 'left' | 'right' | 'below';

/** Less would not be seen. */
const closerBy = 0.75;

/**
 * Puts each section into the shorter column where both columns then end clearly closer together, and below them otherwise, so
 * that no column is empty.
 */
export function fillColumns(
  columns: Readonly<Record<'left' | 'right', number>>,
  sections: readonly Section[],
): Readonly<Record<Place, string>> {
  const heights = { ...columns };
  const filled: Record<Place, string> = { left: '', right: '', below: '' };
  for (const { render, heights: own } of sections) {
    const shorter = heights.left < heights.right ? 'left' : 'right';
    const gap = Math.abs(heights.left - heights.right);
    const isCloser = Math.abs(gap - own[shorter]) < gap * closerBy;
    const place = isCloser ? shorter : 'below';
    filled[place] += render(place);
    if (isCloser) heights[shorter] += own[shorter];
  }
  return filled;
}

/** The number of lines that a text takes; a Chinese character is as wide as two Latin ones. */
export function linesOf(text: string, charsPerLine: number): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return Math.max(1, Math.ceil((text.length + han) / charsPerLine));
}
