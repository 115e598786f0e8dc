/** Text in the encoding that its bytes suggest: a mark, UTF-8, UTF-16 without a mark, GB 18030, else Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  if (marked !== null) return decode(bytes, marked) ?? '';
  const utf8 = decode(bytes, 'utf-8');
  if (utf8 !== null) return utf8;
  const wide = wideEncoding(bytes);
  if (wide !== null) return decode(bytes, wide) ?? '';
  const chinese = decode(bytes, 'gb18030');
  return chinese !== null && isMostlyHan(chinese) ? chinese : (decode(bytes, 'windows-1252') ?? '');
}

/** In this encoding if it is known, and if the bytes fit. */
export function decodeAs(bytes: Uint8Array, label: string | undefined): string {
  return (label === undefined ? null : decode(bytes, label)) ?? decodeText(bytes);
}

/** Null if the bytes are not in this encoding. A character that the end of the content cuts is left out. */
function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

function markedEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** Every second byte of Latin text in UTF-16 is zero. */
function wideEncoding(bytes: Uint8Array): string | null {
  const zeros = [0, 0];
  const head = bytes.subarray(0, 4_096);
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < head.length / 5) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function isMostlyHan(text: string): boolean {
  const head = text.slice(0, 4_096);
  const letters = head.match(/\p{Letter}/gu)?.length ?? 0;
  const han = head.match(/[\u4e00-\u9fff]/gu)?.length ?? 0;
  return han * 2 > letters;
}
