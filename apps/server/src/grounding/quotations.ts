/** Quotations, and a comparison that ignores punctuation. */

const forms: readonly RegExp[] = [
  /“([^“”]{2,}?)”/gu,
  /"([^"]{2,}?)"/gu,
  // An apostrophe inside a word does not end a quotation.
  /(?<![\p{L}\d])‘((?:[^‘’]|’(?=\p{L}))+?)’(?![\p{L}])/gu,
  /《([^《》]+)》/gu,
];

export function findQuotations(text: string): string[] {
  return forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? ''));
}

/** Letters and digits only, in lower case, without marks and spaces. */
export function quotable(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The text must contain every part between ellipses unchanged. */
export function isQuotedFrom(quotation: string, quotableText: string): boolean {
  return quotation
    .split(/\.{3,}|\[[^\]]*\]/u)
    .map(quotable)
    .every((part) => quotableText.includes(part));
}
