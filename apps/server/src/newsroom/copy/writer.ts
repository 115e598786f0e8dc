/** The content of a source as plain text. All of it is data and never an instruction. */
export interface EntryText {
  readonly title: string;
  /** The article or the part of it in the feed; may be empty. */
  readonly text: string;
  /** BCP 47, if it was detected. */
  readonly language: string;
  readonly sourceName: string;
  readonly url?: string;
  /** Names at the end of the source's recent titles. */
  readonly titleEnds?: readonly string[];
  /** An editor accepted the title: it is no instruction to machines. */
  readonly isTitleAccepted?: boolean;
  /** The judgement classifies it as release notes. */
  readonly isReleaseNotes?: boolean;
}

/** The text that an item shows of its entry. */
export interface ItemCopy {
  readonly title: string;
  /** Set if `title` is a translation. */
  readonly originalTitle: string | null;
  readonly summary: string;
  /** Of title and summary. */
  readonly language: string;
}

/** A longer title is a paragraph in the wrong field. */
export const titleCharsMax = 300;

/** Of a summary by rule, by characters: a Chinese one contains as much as two to three Latin letters. */
export function summaryCharsMax(language: string): number {
  return isChinese(language) ? 215 : 510;
}

export function isChinese(language: string): boolean {
  return /^zh\b/iu.test(language);
}

/** Both Chinese, or neither: digests in English also quote texts in other languages. */
export function haveSameLanguage(one: string, other: string): boolean {
  return isChinese(one) === isChinese(other);
}
