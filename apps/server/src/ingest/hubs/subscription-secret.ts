import { sha256 } from '../../foundation/hash.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import type { HubSubscriptionId } from './hub-subscription.ts';

export const callbackPath = '/websub';

/** What a callback address ends in. It follows from the secret, so whoever reads the table learns neither. */
export function callbackTokenOf(secret: string): string {
  return sha256(`callback of ${secret}`);
}

export function sealSecret(secretBox: SecretBox, id: HubSubscriptionId, secret: string): Buffer {
  return secretBox.seal(Buffer.from(secret), purposeOf(id));
}

/** Null: sealed under a key that is not set any more. */
export function openSecret(secretBox: SecretBox, id: HubSubscriptionId, sealed: Buffer): string | null {
  try {
    return secretBox.open(sealed, purposeOf(id)).toString();
  } catch {
    return null;
  }
}

function purposeOf(id: HubSubscriptionId): string {
  return `hub subscription ${id}`;
}
