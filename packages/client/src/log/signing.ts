import type { Checkpoint } from './checkpoint.ts';
import type { KeyKind, NoteSignature, SignedNote } from './signed-note.ts';
import { keyIdOf, kindBytes, signedText, timestampBytes, toBase64 } from './signed-note.ts';

// What a log and its witnesses need; a reader of a log does not.
export { writeEpochStatement } from './epoch.ts';
export type { NoteSignature } from './signed-note.ts';

export function writeCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

const signatureStart = '\u{2014} ';

export function writeNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(signatureLine).join('')}`;
}

/** The line of a note, with its line break. */
export function signatureLine({ keyName, keyId, bytes }: NoteSignature): string {
  return `${signatureStart}${keyName} ${toBase64(Uint8Array.of(...fromHex(keyId), ...bytes))}\n`;
}

export async function writeVerifierKey(name: string, kind: KeyKind, publicKey: Uint8Array): Promise<string> {
  const keyId = await keyIdOf(name, kind, publicKey);
  return `${name}+${keyId}+${toBase64(Uint8Array.of(kindBytes[kind], ...publicKey))}`;
}

/** What `sign` must sign, and the signature made of it. */
export async function signNote(
  text: string,
  { name, kind, publicKey, seconds, sign }: NoteSigner,
): Promise<NoteSignature> {
  const signature = await sign(signedText(text, kind, seconds));
  const time = new Uint8Array(kind === 'witness' ? timestampBytes : 0);
  if (kind === 'witness') new DataView(time.buffer).setBigUint64(0, BigInt(seconds));
  return {
    keyName: name,
    keyId: await keyIdOf(name, kind, publicKey),
    bytes: Uint8Array.of(...time, ...signature),
  };
}

export interface NoteSigner {
  readonly name: string;
  readonly kind: KeyKind;
  readonly publicKey: Uint8Array;
  /** The present time; a log does not sign it. */
  readonly seconds: number;
  readonly sign: (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

function fromHex(text: string): number[] {
  return (text.match(/../gu) ?? []).map((byte) => Number.parseInt(byte, 16));
}
