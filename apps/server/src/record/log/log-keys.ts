import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';

import { parseVerifierKey } from '@daybook/client/log';
import type { NoteSignature } from '@daybook/client/log/signing';
import { signNote, writeCheckpoint, writeNote, writeVerifierKey } from '@daybook/client/log/signing';

/** Signs checkpoints of one log. */
export interface LogSigner {
  /** The name of the log. */
  readonly origin: string;
  /** Present and former keys, as readers need them. */
  readonly verifierKeys: readonly string[];
  /** A signed note with a signature of every present key. */
  readonly sign: (tree: TreeToSign) => Promise<string>;
  /** Of every present key. */
  readonly signaturesOf: (text: string) => Promise<readonly NoteSignature[]>;
}

export interface TreeToSign {
  readonly size: number;
  readonly root: Uint8Array<ArrayBuffer>;
  /** The root of its first leaves. */
  readonly rootOf: (size: number) => Promise<Uint8Array>;
}

/** A private key in the text form of golang.org/x/mod/sumdb/note. */
interface SigningKey {
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: Uint8Array;
}

const seedBytes = 32;
const ed25519 = 1;
const privateForm = /^PRIVATE\+KEY\+([^+\s]+)\+([\da-f]{8})\+([\w+/=]+)$/u;
/** A PKCS #8 document of an Ed25519 key, without the seed at its end. */
const derPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The lines of a key file: private keys, which sign, and verifier keys of former ones. Messages contain no key. */
export async function parseLogKeys(text: string): Promise<LogSigner> {
  const lines = linesOf(text);
  const keys = lines.filter(isPrivate).map(parseSigningKey);
  const [first] = keys;
  if (first === undefined) throw new Error('the key file of the log contains no private key');
  if (keys.some(({ name }) => name !== first.name))
    throw new Error('the keys of the log have different names');
  const former = lines.filter((line) => !isPrivate(line));
  for (const line of former)
    if ((await parseVerifierKey(line)) === null)
      throw new Error('a line of the key file of the log is not a key');
  const present = await Promise.all(
    keys.map(({ name, publicKey }) => writeVerifierKey(name, 'log', publicKey)),
  );
  const signaturesOf = (signed: string) => Promise.all(keys.map((key) => signWith(key, signed)));
  return {
    origin: first.name,
    verifierKeys: [...present, ...former],
    sign: async ({ size, root }) => {
      const checkpoint = writeCheckpoint({ origin: first.name, size, root });
      return writeNote({ text: checkpoint, signatures: await signaturesOf(checkpoint) });
    },
    signaturesOf,
  };
}

function signWith({ name, publicKey, privateKey }: SigningKey, note: string) {
  return signNote(note, {
    name,
    kind: 'log',
    publicKey,
    seconds: 0,
    sign: async (message) => sign(null, message, privateKey),
  });
}

/** A new private key. The file contains nothing else that signs. */
export async function generateLogKey(name: string): Promise<string> {
  const seed = randomBytes(seedBytes);
  const [, keyId = ''] = (await writeVerifierKey(name, 'log', publicKeyOf(privateKeyOf(seed)))).split('+');
  return `PRIVATE+KEY+${name}+${keyId}+${Buffer.from([ed25519, ...seed]).toString('base64')}`;
}

/** The file with a new key before the present ones: all of them sign. */
export async function addLogKey(text: string): Promise<string> {
  const { origin } = await parseLogKeys(text);
  return `${[await generateLogKey(origin), ...linesOf(text)].join('\n')}\n`;
}

/** The file of a log with another name: a new key signs, the present ones remain as verifier keys. */
export async function renameLogKeys(text: string, origin: string): Promise<string> {
  const { verifierKeys } = await parseLogKeys(text);
  return `${[await generateLogKey(origin), ...verifierKeys].join('\n')}\n`;
}

/** The file in which only the newest key signs; the others remain as verifier keys. */
export async function retireLogKeys(text: string): Promise<string> {
  const { verifierKeys } = await parseLogKeys(text);
  const newest = linesOf(text).find(isPrivate) ?? '';
  return `${[newest, ...verifierKeys.slice(1)].join('\n')}\n`;
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function isPrivate(line: string): boolean {
  return line.startsWith('PRIVATE+KEY+');
}

function parseSigningKey(line: string): SigningKey {
  const [, name = '', , encoded = ''] = privateForm.exec(line) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== seedBytes + 1 || bytes[0] !== ed25519)
    throw new Error('a private key of the log is not an Ed25519 key');
  const privateKey = privateKeyOf(bytes.subarray(1));
  return { name, privateKey, publicKey: publicKeyOf(privateKey) };
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([derPrefix, seed]), format: 'der', type: 'pkcs8' });
}

function publicKeyOf(privateKey: KeyObject): Uint8Array {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-seedBytes);
}
