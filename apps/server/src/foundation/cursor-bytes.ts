/** A cursor is base64url of its concatenated parts. */
export function joinCursor(...parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('base64url');
}

/** Null unless spelled as `joinCursor` does: Node skips other characters and ignores spare bits. */
export function cursorBytes(text: string, charsMax: number): Buffer | null {
  if (text.length > charsMax) return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

export function int64Bytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}
