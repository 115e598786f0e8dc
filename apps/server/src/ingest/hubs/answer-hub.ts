import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { addMs } from '../../foundation/instant.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import { secretTokenHash } from '../../foundation/secret-token.ts';
import { makeDueAfterPush } from '../sources/source-store.ts';
import {
  confirmSubscription,
  confirmUnsubscription,
  denySubscription,
  findByCallback,
  savePushedAt,
} from './hub-subscription-store.ts';
import { grantedLease } from './hub-subscription.ts';
import { isSignedWith } from './push-signature.ts';
import { openSecret } from './subscription-secret.ts';

export interface HubAnswerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** The least time between two polls of a source that pushes bring about. */
  readonly pushedPollSpacingMs: number;
}

/** What a hub asks or tells at a callback address. */
export interface HubQuestion {
  readonly mode: 'subscribe' | 'unsubscribe' | 'denied';
  readonly topic: string;
  readonly leaseSeconds: number;
  readonly reason: string;
}

const deniedForMs = 7 * 86_400_000;
const reasonCharsMax = 200;

/** True: it is as the hub says. */
export async function verifyIntent(
  { database, clock }: HubAnswerDeps,
  token: string,
  { mode, topic, leaseSeconds, reason }: HubQuestion,
): Promise<boolean> {
  const now = clock.now();
  const statement = { callbackHash: secretTokenHash(token), topic, now };
  if (mode === 'unsubscribe') return confirmUnsubscription(database, statement);
  if (mode === 'subscribe') return confirmSubscription(database, statement, grantedLease(leaseSeconds, now));
  const cleaned = reason.replaceAll(/\p{Cc}+/gu, ' ').slice(0, reasonCharsMax);
  const problem = cleaned === '' ? 'denied by the hub' : `denied by the hub: ${cleaned}`;
  return denySubscription(database, statement, { problem, retryAt: addMs(now, deniedForMs) });
}

export interface Push {
  readonly signature: string | undefined;
  readonly body: () => AsyncIterable<Uint8Array>;
}

/**
 * Takes note that a feed has changed, where the hub has signed it, and makes its source due. What was pushed is not
 * read: entries come from the publisher alone. `unknown`: nobody subscribed under this address, or no more.
 */
export async function receivePush(
  { database, clock, secretBox, pushedPollSpacingMs }: HubAnswerDeps,
  token: string,
  { signature, body }: Push,
): Promise<'unknown' | 'ignored' | 'noted'> {
  const subscription = await findByCallback(database, secretTokenHash(token));
  if (subscription === null) return 'unknown';
  const { id, sourceId, sealedSecret } = subscription;
  const secret = openSecret(secretBox, id, sealedSecret);
  // A subscription whose secret is lost gets a new one, and a new address, when it is renewed.
  if (secret === null) return 'unknown';
  if (!(await isSignedWith(secret, signature, body()))) return 'ignored';
  const now = clock.now();
  await database.transaction().execute(async (transaction) => {
    await makeDueAfterPush(transaction, sourceId, now, pushedPollSpacingMs);
    await savePushedAt(transaction, id, now);
  });
  return 'noted';
}
