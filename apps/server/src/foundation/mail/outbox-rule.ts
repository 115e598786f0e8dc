import type { EpochMicroseconds } from '../instant.ts';
import { addMs } from '../instant.ts';
import type { SendFailure } from './smtp-sender.ts';

/** Why a mail is undelivered. `in_doubt`: it may have arrived. */
export type UndeliveredReason =
  | 'in_doubt'
  | 'address_refused'
  | 'message_refused'
  | 'attempts_exhausted'
  | 'too_late';

/** The state of a mail after an attempt. All but `waiting` are final. */
export type MailOutcome = { readonly at: EpochMicroseconds } & (
  | { readonly state: 'sent' | 'cancelled' }
  | { readonly state: 'undelivered'; readonly reason: UndeliveredReason }
  | { readonly state: 'waiting'; readonly attempts: number; readonly dueAt: EpochMicroseconds }
);

/** `not_composed`: composing the mail failed, so the server has not received it. */
export type AttemptResult = 'sent' | 'nothing_to_send' | 'not_composed' | SendFailure;

/** Delays after a failed attempt, by the number of earlier ones; then the mail is abandoned. */
const retryDelaysMs = [1, 5, 30, 120].map((minutes) => minutes * 60_000);
const unavailableDelayMs = 60_000;
export const retriesMax = retryDelaysMs.length;

/**
 * The rule for mail of every kind. Permanent refusals are final. Temporary refusals are retried a few times. An
 * unavailable server is retried every minute, which counts as no attempt: the mail's deadline ends it. Mail in doubt is
 * retried only if it is repeatable.
 */
export function outcomeOf(
  result: AttemptResult,
  attempts: number,
  isRepeatable: boolean,
  at: EpochMicroseconds,
): MailOutcome {
  if (result === 'sent') return { state: 'sent', at };
  if (result === 'nothing_to_send') return { state: 'cancelled', at };
  if (result === 'server_unavailable')
    return { state: 'waiting', attempts, dueAt: addMs(at, unavailableDelayMs), at };
  if (
    result === 'address_refused' ||
    result === 'message_refused' ||
    (result === 'in_doubt' && !isRepeatable)
  )
    return { state: 'undelivered', reason: result, at };
  const delayMs = retryDelaysMs[attempts];
  if (delayMs !== undefined)
    return { state: 'waiting', attempts: attempts + 1, dueAt: addMs(at, delayMs), at };
  return { state: 'undelivered', reason: result === 'in_doubt' ? result : 'attempts_exhausted', at };
}
