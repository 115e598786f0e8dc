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

/** Words and numbers in lower case with one space around each; Chinese without spaces. */
export function quotable(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/['’‘]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  return ` ${words.replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '').trim()} `;
}

/** The text must contain every part between ellipses unchanged, from word to word. */
export function isQuotedFrom(quotation: string, quotableText: string): boolean {
  return quotation
    .split(/\.{3,}|\[[^\]]*\]/u)
    .map((part) => quotable(part).trim())
    .every((part) => containsWords(quotableText, part));
}

/** "Legal" is not in "illegal"; Chinese has no words to cut. */
function containsWords(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (!cutsWord(text, at) && !cutsWord(text, at + part.length)) return true;
  }
  return false;
}

function cutsWord(text: string, at: number): boolean {
  return [text[at - 1], text[at]].every((character) => /[^\s\p{Script=Han}]/u.test(character ?? ' '));
}
