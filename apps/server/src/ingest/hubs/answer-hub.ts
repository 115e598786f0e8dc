import { dayMs } from '../../foundation/clock.ts';
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
  /** The least time between two polls of a source that pushes cause. */
  readonly pushedPollSpacingMs: number;
}

/** A hub's request to a callback address. */
export interface HubQuestion {
  readonly mode: 'subscribe' | 'unsubscribe' | 'denied';
  readonly topic: string;
  readonly leaseSeconds: number;
  readonly reason: string;
}

const deniedForMs = 7 * dayMs;
const reasonCharsMax = 200;

/** True: Daybook requested this, or the denial belongs to a subscription. */
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
 * Makes the source of a push due, if the hub signed the push. The pushed content is not parsed: entries come only from
 * the publisher. `unknown`: no subscription has this callback address.
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
  // A renewal creates a new secret and a new callback address.
  if (secret === null) return 'unknown';
  if (!(await isSignedWith(secret, signature, body()))) return 'ignored';
  const now = clock.now();
  await database.transaction().execute(async (transaction) => {
    await makeDueAfterPush(transaction, sourceId, now, pushedPollSpacingMs);
    await savePushedAt(transaction, id, now);
  });
  return 'noted';
}
