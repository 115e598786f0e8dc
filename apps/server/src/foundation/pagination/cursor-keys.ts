import { createHmac, hkdfSync } from 'node:crypto';

export interface CursorKey {
  /** Four bytes, derived from the secret: two keys cannot get the same name. */
  readonly id: Buffer;
  readonly secret: Buffer;
}

/** The first key signs; every one of them verifies. */
export interface CursorKeys {
  readonly signing: CursorKey;
  readonly verifying: readonly CursorKey[];
}

export const keyIdBytes = 4;
const secretBytesMin = 32;

/**
 * To rotate without refusing any cursor: append the new secret on every process, then move it to the front, then
 * remove the old one when no client can still have a cursor of it.
 */
export function createCursorKeys(secrets: readonly Uint8Array[]): CursorKeys {
  const verifying = secrets.map(keyOf);
  const [signing] = verifying;
  if (signing === undefined) throw new RangeError('cursors need a key');
  const names = new Set(verifying.map(({ id }) => id.toString('hex')));
  if (names.size < verifying.length) throw new RangeError('the same cursor key is listed twice');
  return { signing, verifying };
}

/** For an installation that sets none: keys derived from other secrets, which they do not reveal. */
export function deriveCursorSecrets(secrets: readonly Uint8Array[]): readonly Uint8Array[] {
  return secrets.map(
    (secret) => new Uint8Array(hkdfSync('sha256', secret, '', 'daybook page cursors', secretBytesMin)),
  );
}

function keyOf(secret: Uint8Array): CursorKey {
  if (secret.byteLength < secretBytesMin)
    throw new RangeError(`a cursor key has at least ${secretBytesMin} bytes`);
  const own = Buffer.from(secret);
  return {
    id: createHmac('sha256', own).update('cursor key id').digest().subarray(0, keyIdBytes),
    secret: own,
  };
}
