import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { VerifierKey } from '@daybook/client/log';
import { parseVerifierKey } from '@daybook/client/log';
import type { NoteSignature } from '@daybook/client/log/signing';
import { signNote, writeVerifierKey } from '@daybook/client/log/signing';
import type { WitnessStore } from '@daybook/client/log/witness';

import { CliError } from './cli-host.ts';

// The folder of a witness: its key, the keys of the logs that it follows, and the newest checkpoint of each.
const keyFile = 'witness.key';
export const logsFile = 'logs.txt';
const cosignature = 4;
const seedBytes = 32;
/** A PKCS #8 document of an Ed25519 key, without the seed at its end. */
const derPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const privateForm = /^PRIVATE\+KEY\+([^+\s]+)\+[\da-f]{8}\+([\w+/=]+)$/u;

export interface WitnessKey {
  readonly verifierKey: string;
  readonly cosign: (text: string, seconds: number) => Promise<NoteSignature>;
}

function keyOf(name: string, seed: Uint8Array) {
  const privateKey = createPrivateKey({
    key: Buffer.concat([derPrefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = new Uint8Array(
    createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-seedBytes),
  );
  const signer = { name, kind: 'witness' as const, publicKey };
  return {
    publicKey,
    cosign: (text: string, seconds: number) =>
      signNote(text, { ...signer, seconds, sign: async (message) => sign(null, message, privateKey) }),
  };
}

/** Creates the folder with a new key. Never replaces one: logs know it. Returns the verifier key. */
export async function createWitnessFolder(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const seed = randomBytes(seedBytes);
  const verifierKey = await writeVerifierKey(name, 'witness', keyOf(name, seed).publicKey);
  const [, keyId = ''] = verifierKey.split('+');
  const encoded = Buffer.from([cosignature, ...seed]).toString('base64');
  await writeFile(join(folder, keyFile), `PRIVATE+KEY+${name}+${keyId}+${encoded}\n`, {
    mode: 0o600,
    flag: 'wx',
  });
  await writeFile(join(folder, logsFile), '', { flag: 'a' });
  return verifierKey;
}

export async function readWitnessKey(folder: string): Promise<WitnessKey> {
  const [, name = '', encoded = ''] =
    privateForm.exec((await readFile(join(folder, keyFile), 'utf8')).trim()) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== seedBytes + 1 || bytes[0] !== cosignature)
    throw new CliError('usage', `${join(folder, keyFile)} contains no key of a witness`);
  const { publicKey, cosign } = keyOf(name, bytes.subarray(1));
  return { verifierKey: await writeVerifierKey(name, 'witness', publicKey), cosign };
}

/** One verifier key of a log per line; lines that begin with # are comments. */
export async function readWitnessedLogs(folder: string): Promise<readonly VerifierKey[]> {
  const lines = (await readFile(join(folder, logsFile), 'utf8')).split('\n').map((line) => line.trim());
  const keys: VerifierKey[] = [];
  for (const line of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    const key = await parseVerifierKey(line);
    if (key === null || key.kind !== 'log')
      throw new CliError('usage', `a line of ${join(folder, logsFile)} is not the key of a log: ${line}`);
    keys.push(key);
  }
  return keys;
}

export function witnessStore(folder: string): WitnessStore {
  const fileOf = (origin: string): string =>
    join(folder, `${createHash('sha256').update(origin).digest('hex')}.checkpoint`);
  return {
    read: (origin) =>
      readFile(fileOf(origin), 'utf8').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }),
    write: (origin, note) => replaceFile(folder, fileOf(origin), note),
    writeFork: (evidence) => {
      const text = JSON.stringify(evidence);
      const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
      return replaceFile(folder, join(folder, `fork-${name}.json`), text);
    },
  };
}

/** After a crash the file has the old content or the new one, and a note that was cosigned is the content. */
async function replaceFile(folder: string, file: string, text: string): Promise<void> {
  const written = await open(`${file}.new`, 'w');
  try {
    await written.writeFile(text);
    await written.sync();
  } finally {
    await written.close();
  }
  await rename(`${file}.new`, file);
  const entry = await open(folder, 'r');
  try {
    await entry.sync();
  } finally {
    await entry.close();
  }
}
