/** What a source sent, as plain text. All of it is data: nothing in it is an instruction to anyone. */
export interface EntryText {
  readonly title: string;
  /** The article or what the feed has of it; may be empty. */
  readonly text: string;
  /** BCP 47, as far as it was recognised. */
  readonly language: string;
  readonly sourceName: string;
}

/** What an item shows of its entry. */
export interface ItemCopy {
  readonly title: string;
  /** Set where `title` is a translation. */
  readonly originalTitle: string | null;
  readonly summary: string;
  /** Of title and summary. */
  readonly language: string;
}

/** Longer ones than any reader wants; a title that is longer is a paragraph that stood in the wrong place. */
export const titleCharsMax = 300;

/** By characters, since a Chinese one says as much as two to three of an alphabet. */
export function summaryCharsMax(language: string): number {
  return isChinese(language) ? 180 : 420;
}

export function isChinese(language: string): boolean {
  return /^zh\b/iu.test(language);
}
