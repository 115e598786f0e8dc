const pieceChars = 64 * 1024;

/** The text in pieces that are no copies of it; no piece ends within a character. */
export function* textPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + pieceChars;
    const isWithinPair = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff;
    yield text.slice(start, isWithinPair ? end + 1 : end);
    start = isWithinPair ? end + 1 : end;
  }
}
