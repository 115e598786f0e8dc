import { describe, expect, test } from 'vitest';

import type { EpochMicroseconds } from '../instant.ts';
import type { AttemptResult } from './outbox-rule.ts';
import { outcomeOf } from './outbox-rule.ts';
import { sendFailureOf } from './smtp-sender.ts';

const at = 0n as EpochMicroseconds;
const minutes = (count: number): bigint => BigInt(count) * 60_000_000n;
const smtpError = (fields: object): Error => Object.assign(new Error('refused'), fields);

describe('the outcome of an attempt', () => {
  test.each(['refused_for_now', 'not_composed'] as const)(
    'retries after 1, 5, 30 and 120 minutes and then gives up: %s',
    (result) => {
      const outcomes = [0, 1, 2, 3, 4].map((attempts) => outcomeOf(result, attempts, true, at));
      expect(outcomes).toEqual([
        { state: 'waiting', attempts: 1, dueAt: minutes(1), at },
        { state: 'waiting', attempts: 2, dueAt: minutes(5), at },
        { state: 'waiting', attempts: 3, dueAt: minutes(30), at },
        { state: 'waiting', attempts: 4, dueAt: minutes(120), at },
        { state: 'undelivered', reason: 'attempts_exhausted', at },
      ]);
    },
  );

  test.each([0, 4, 1_000])(
    'retries an unavailable server after a minute and counts no attempt: after %i',
    (attempts) => {
      const outcome = outcomeOf('server_unavailable', attempts, false, at);
      expect(outcome).toEqual({ state: 'waiting', attempts, dueAt: minutes(1), at });
    },
  );

  test('retries mail in doubt only if it is repeatable, as often as a temporary refusal', () => {
    const after = (attempts: number, isRepeatable: boolean) =>
      outcomeOf('in_doubt', attempts, isRepeatable, at);
    expect(after(0, true)).toEqual({ state: 'waiting', attempts: 1, dueAt: minutes(1), at });
    const end = { state: 'undelivered', reason: 'in_doubt', at };
    expect([after(4, true), after(0, false)]).toEqual([end, end]);
  });

  test.each<[AttemptResult, object]>([
    ['address_refused', { state: 'undelivered', reason: 'address_refused' }],
    ['message_refused', { state: 'undelivered', reason: 'message_refused' }],
    ['nothing_to_send', { state: 'cancelled' }],
    ['sent', { state: 'sent' }],
  ])('is final after %s', (result, end) => {
    expect(outcomeOf(result, 0, true, at)).toEqual({ ...end, at });
  });
});

describe('an error of the mail server', () => {
  test.each([
    [{ command: 'RCPT TO', responseCode: 550 }, 'address_refused'],
    [{ command: 'RCPT TO', responseCode: 450 }, 'refused_for_now'],
    [{ command: 'DATA', responseCode: 554 }, 'message_refused'],
    [{ command: 'DATA', responseCode: 452 }, 'refused_for_now'],
    [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, 'server_unavailable'],
    [{ command: 'MAIL FROM', responseCode: 550 }, 'server_unavailable'],
    [{ code: 'ESOCKET', syscall: 'connect' }, 'server_unavailable'],
    [{ code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' }, 'server_unavailable'],
    [{ code: 'ECONNECTION', command: 'CONN' }, 'in_doubt'],
    [{ code: 'ETIMEDOUT', command: 'CONN' }, 'in_doubt'],
  ])('%j means %s', (fields, failure) => {
    expect(sendFailureOf(smtpError(fields))).toBe(failure);
  });
});
