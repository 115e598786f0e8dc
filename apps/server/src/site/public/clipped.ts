/** Clips a text to this many characters, with an ellipsis. Publishers set no limit; a page needs one. */
export function clipped(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const characters = Array.from(text);
  return characters.length <= charsMax ? text : `${characters.slice(0, charsMax - 1).join('')}…`;
}

export const titleCharsMax = 300;
export const summaryCharsMax = 1_200;
export const nameCharsMax = 120;
