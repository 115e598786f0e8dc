import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { sha256Bytes } from './hash.ts';

export interface SecretBox {
  /** The purpose is bound in: a value sealed for one purpose cannot be opened for another. */
  readonly seal: (plain: Buffer, purpose: string) => Buffer;
  readonly open: (sealed: Buffer, purpose: string) => Buffer;
}

// version · which key · nonce · tag · ciphertext
const version = 1;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes + nonceBytes + tagBytes;

/** Names a key without revealing it. Every sealed value begins with its version and the id of its key. */
export function secretKeyId(keyHex: string): string {
  return sha256Bytes(Buffer.from(keyHex, 'hex')).subarray(0, keyIdBytes).toString('hex');
}

/** AES-256-GCM. The first key encrypts, all decrypt, so that the key can be rotated without downtime. */
export function createSecretBox(keysHex: readonly string[]): SecretBox {
  const keys = keysHex.map((hex) => {
    const key = Buffer.from(hex, 'hex');
    if (key.length !== 32) throw new RangeError('a secret key is 64 hex digits');
    return { id: sha256Bytes(key).subarray(0, keyIdBytes), key };
  });
  const [first] = keys;
  if (first === undefined) throw new RangeError('DAYBOOK_SECRET_KEY is not set');
  return {
    seal: (plain, purpose) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', first.key, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), first.id, nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed, purpose) => {
      const id = sealed.subarray(1, 1 + keyIdBytes);
      const known = keys.find((one) => one.id.equals(id));
      if (sealed.length < headBytes || sealed[0] !== version || known === undefined)
        throw new Error('sealed with a secret key that this installation does not have');
      const nonce = sealed.subarray(1 + keyIdBytes, 1 + keyIdBytes + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', known.key, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(headBytes - tagBytes, headBytes));
      return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]);
    },
  };
}
