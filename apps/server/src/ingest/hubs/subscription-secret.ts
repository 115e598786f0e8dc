import { sha256 } from '../../foundation/hash.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import type { HubSubscriptionId } from './hub-subscription.ts';

export const callbackPath = '/websub';

/** The last part of the callback address. It is derived from the secret, so the table reveals neither of the two. */
export function callbackTokenOf(secret: string): string {
  return sha256(`callback of ${secret}`);
}

export function sealSecret(secretBox: SecretBox, id: HubSubscriptionId, secret: string): Buffer {
  return secretBox.seal(Buffer.from(secret), hubSecretPurpose(id));
}

/** Null: the secret was sealed with a key that is no longer configured. */
export function openSecret(secretBox: SecretBox, id: HubSubscriptionId, sealed: Buffer): string | null {
  try {
    return secretBox.open(sealed, hubSecretPurpose(id)).toString();
  } catch {
    return null;
  }
}

export function hubSecretPurpose(id: HubSubscriptionId): string {
  return `hub subscription ${id}`;
}
