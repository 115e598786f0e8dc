/** Quoted words, and how to find them again in a text that may set them with other marks. */

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

/** Letters and digits alone: what is left when marks, spaces and capitals are set aside. */
export function quotable(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Every stretch between ellipses must stand in the text as it is. */
export function isQuotedFrom(quotation: string, quotableText: string): boolean {
  return quotation
    .split(/\.{3,}|\[[^\]]*\]/u)
    .map(quotable)
    .every((part) => quotableText.includes(part));
}
