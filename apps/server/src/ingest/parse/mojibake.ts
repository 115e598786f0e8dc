const windows1252 = new TextDecoder('windows-1252');
const bytesByCharacter: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 128 }, (_, at) => [windows1252.decode(Uint8Array.of(at + 128)), at + 128]),
);
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** A lead byte of UTF-8 and a continuation byte, decoded as Latin-1 or Windows-1252. */
const suspicious =
  /[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/u;

/**
 * Repairs double encoding by publishers: UTF-8 decoded as Windows-1252 and encoded again (`â€™` for an apostrophe), and
 * single Windows-1252 characters in place of control characters. Text that does not become valid UTF-8 as a whole stays
 * unchanged.
 */
export function repairMojibake(text: string): string {
  const repaired = suspicious.test(text) ? (asUtf8(text) ?? text) : text;
  return repaired.replaceAll(/[\u0080-\u0084\u0086-\u009f]/gu, (character) =>
    windows1252.decode(Uint8Array.of(character.charCodeAt(0))),
  );
}

function asUtf8(text: string): string | null {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const byte = code < 256 ? code : bytesByCharacter.get(character);
    if (byte === undefined) return null;
    bytes.push(byte);
  }
  try {
    return strictUtf8.decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}
