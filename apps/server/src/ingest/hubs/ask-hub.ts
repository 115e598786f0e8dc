import type { Clock } from '../../foundation/clock.ts';
import { hourMs } from '../../foundation/clock.ts';
import { addMs } from '../../foundation/instant.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import { createSecretToken, secretTokenHash } from '../../foundation/secret-token.ts';
import type { FetchOutcome } from '../fetch/fetch-outcome.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { RequestTurns, RunTransaction } from '../leases/request-turns.ts';
import type { ClaimedSubscription } from './hub-subscription-store.ts';
import { beginRequest, saveRequestOutcome } from './hub-subscription-store.ts';
import { leaseSecondsWanted, retryMs } from './hub-subscription.ts';
import { callbackPath, callbackTokenOf, openSecret, sealSecret } from './subscription-secret.ts';

export interface HubDeps {
  readonly clock: Clock;
  readonly fetcher: Fetcher;
  readonly secretBox: SecretBox;
  /** The base URL of callbacks, without a slash at the end. */
  readonly callbackBase: string;
  readonly leaseMs: number;
  /** Time between two requests to one domain. */
  readonly spacingMs: number;
}

export interface HubAsker {
  readonly transaction: RunTransaction;
  readonly signal: AbortSignal;
}

/** How long a hub may take to confirm a request. */
const verifyWithinMs = hourMs;
const answerBytesMax = 65_536;
const deadlineMs = 10_000;
const problemCharsMax = 300;

/** Requests one subscription or its end. The response only says that the hub accepted the request: it confirms at the callback. */
export async function askHub(
  deps: HubDeps,
  { transaction, signal }: HubAsker,
  turns: RequestTurns,
  subscription: ClaimedSubscription,
): Promise<void> {
  const { hub, attempts } = subscription;
  const secret = secretOf(deps.secretBox, subscription);
  const token = callbackTokenOf(secret);
  const now = deps.clock.now();
  const isBegun = await transaction((trx) =>
    beginRequest(trx, subscription, {
      sealedSecret: sealSecret(deps.secretBox, subscription.id, secret),
      callbackHash: secretTokenHash(token),
      verifyUntil: addMs(now, verifyWithinMs),
      nextAttemptAt: addMs(now, retryMs(attempts)),
    }),
  );
  if (!isBegun) return;
  const outcome = await deps.fetcher.fetch({
    url: hub.url,
    accept: '*/*',
    form: formFor(subscription, `${deps.callbackBase}${callbackPath}/${token}`, secret),
    bytesMax: answerBytesMax,
    deadlineMs: Math.min(deadlineMs, deps.leaseMs / 2 - 500),
    signal,
    beforeRequest: (url) => turns.before(url, deps.spacingMs),
  });
  turns.answered();
  const retryAfterMs = 'retryAfterMs' in outcome ? (outcome.retryAfterMs ?? 0) : 0;
  await transaction((trx) =>
    saveRequestOutcome(
      trx,
      { ...subscription, attempts: attempts + 1 },
      { problem: problemOf(outcome), notBefore: addMs(now, retryAfterMs) },
    ),
  );
}

function formFor(
  { wanted, hub }: ClaimedSubscription,
  callback: string,
  secret: string,
): Readonly<Record<string, string>> {
  return {
    'hub.callback': callback,
    'hub.mode': wanted,
    'hub.topic': hub.topic,
    ...(wanted === 'subscribe' && {
      'hub.lease_seconds': String(leaseSecondsWanted),
      'hub.secret': secret,
    }),
  };
}

/** Null: the hub accepted the request. */
function problemOf(outcome: FetchOutcome): string | null {
  if ('status' in outcome)
    return outcome.status >= 200 && outcome.status < 300 ? null : `status ${outcome.status}`;
  const detail = outcome.kind === 'failed' ? `${outcome.reason}: ${outcome.detail}` : outcome.kind;
  return detail.slice(0, problemCharsMax);
}

/** The secret stays the same as long as the subscription lasts, so that a push that arrives during a renewal is still valid. */
function secretOf(secretBox: SecretBox, { id, sealedSecret }: ClaimedSubscription): string {
  const opened = sealedSecret === null ? null : openSecret(secretBox, id, sealedSecret);
  return opened ?? createSecretToken();
}
