import { sha256 } from './merkle.ts';

/** A text with signatures under it (C2SP signed-note): what a log and its witnesses sign. */
export interface SignedNote {
  /** Ends with a line break. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  readonly keyName: string;
  /** The first four bytes say which key; the rest is the signature. */
  readonly keyId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A key as text: "name+1a2b3c4d+base64". */
export interface VerifierKey {
  readonly name: string;
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly publicKey: Uint8Array<ArrayBuffer>;
}

/** A log signs the text of its checkpoint; a witness signs it with the time at which it saw it. */
export type KeyKind = 'log' | 'witness';

export const kindBytes: Readonly<Record<KeyKind, number>> = { log: 1, witness: 4 };
const keyIdBytes = 4;
const publicKeyBytes = 32;
export const timestampBytes = 8;
/** A note is read from strangers. */
const noteCharsMax = 100_000;
const signaturesMax = 100;

/** Null if the text is not a signed note. */
export function parseNote(note: string): SignedNote | null {
  if (note.length > noteCharsMax) return null;
  const end = note.lastIndexOf('\n\n');
  if (end === -1 || !note.endsWith('\n')) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > signaturesMax) return null;
  const signatures = lines.map(parseSignature);
  if (signatures.some((one) => one === null)) return null;
  return { text: note.slice(0, end + 1), signatures: signatures as NoteSignature[] };
}

function parseSignature(line: string): NoteSignature | null {
  const [, keyName, encoded] = /^\u{2014} (\S+) (\S+)$/u.exec(line) ?? [];
  const bytes = encoded === undefined ? null : fromBase64(encoded);
  if (keyName === undefined || bytes === null || bytes.length <= keyIdBytes) return null;
  return { keyName, keyId: toHex(bytes.subarray(0, keyIdBytes)), bytes: bytes.slice(keyIdBytes) };
}

/** Null if the text is no key, or its id is not the one of its name and bytes. */
export async function parseVerifierKey(key: string): Promise<VerifierKey | null> {
  const [, name = '', keyId = '', encoded = ''] = /^([^+\s]+)\+([\da-f]{8})\+(\S+)$/u.exec(key) ?? [];
  const bytes = fromBase64(encoded);
  if (bytes === null || bytes.length !== publicKeyBytes + 1) return null;
  const kind = (Object.keys(kindBytes) as KeyKind[]).find((one) => kindBytes[one] === bytes[0]);
  if (kind === undefined) return null;
  const publicKey = bytes.slice(1);
  return (await keyIdOf(name, kind, publicKey)) === keyId ? { name, keyId, kind, publicKey } : null;
}

export async function keyIdOf(name: string, kind: KeyKind, publicKey: Uint8Array): Promise<string> {
  const hash = await sha256(encode(`${name}\n`), Uint8Array.of(kindBytes[kind]), publicKey);
  return toHex(hash.subarray(0, keyIdBytes));
}

/** The time in seconds at which a witness signed; 0 for the key of a log; null if no signature of the key is valid. */
export async function verifyNote(note: SignedNote, key: VerifierKey): Promise<number | null> {
  const publicKey = await crypto.subtle.importKey('raw', key.publicKey, 'Ed25519', false, ['verify']);
  for (const { keyName, keyId, bytes } of note.signatures) {
    if (keyName !== key.name || keyId !== key.keyId) continue;
    const seconds = key.kind === 'log' ? 0 : timestampOf(bytes);
    if (seconds === null) continue;
    const signature = key.kind === 'log' ? bytes : bytes.slice(timestampBytes);
    const message = signedText(note.text, key.kind, seconds);
    if (await crypto.subtle.verify('Ed25519', publicKey, signature, message)) return seconds;
  }
  return null;
}

/** The bytes under a signature. */
export function signedText(text: string, kind: KeyKind, seconds: number): Uint8Array<ArrayBuffer> {
  return encode(kind === 'log' ? text : `cosignature/v1\ntime ${seconds}\n${text}`);
}

function timestampOf(bytes: Uint8Array): number | null {
  if (bytes.length < timestampBytes) return null;
  const seconds = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  return seconds <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seconds) : null;
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Null unless the text is the base64 of its bytes: there is one for each. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
