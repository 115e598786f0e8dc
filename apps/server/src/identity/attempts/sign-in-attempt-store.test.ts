import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';
import { addMs } from '../../foundation/instant.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import { attemptSources, rememberBlock, rememberDevice } from './known-source.ts';
import type { AttemptSources } from './known-source.ts';
import type { Guessed, Reservation } from './sign-in-attempt-store.ts';
import { clearPasswordAttempts, releaseAttempt, reserveSignInAttempt } from './sign-in-attempt-store.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity();
});
afterAll(() => stage.stop());

const quarterMs = 15 * 60_000;
const unknown = attemptSources({ client: { address: '192.0.2.1', userAgent: '' } });
const normalised = (email: string) => requireEmailAddress(email).normalised;

interface Guess {
  readonly guessed?: Guessed;
  readonly sources?: AttemptSources;
  readonly afterMs?: number;
}

function reserve(
  email: string,
  { guessed = 'password', sources = unknown, afterMs = 0 }: Guess = {},
): Promise<Reservation> {
  const now = addMs(stage.clock.now(), afterMs);
  return reserveSignInAttempt(stage.identity.database, { email: normalised(email), guessed, sources, now });
}

const admittedOf = (reservations: readonly Reservation[]): number =>
  reservations.filter(({ outcome }) => outcome.admitted).length;

/** Four devices, networks and sessions each. */
async function createSources(accountId: Parameters<typeof rememberBlock>[1]['accountId']) {
  const { database, clock } = stage.identity;
  const sources: AttemptSources[] = [unknown];
  for (let one = 0; one < 4; one += 1) {
    const client = { address: `198.51.${one}.1`, userAgent: '' };
    const signIn = { accountId, client, at: clock.now() };
    await rememberBlock(database, signIn);
    const device = await rememberDevice(database, { ...signIn, device: null });
    const elsewhere = { address: '192.0.2.1', userAgent: '' };
    const session = `session-${one}` as typeof accountId;
    sources.push(
      attemptSources({ client }),
      attemptSources({ client: elsewhere, device }),
      attemptSources({ client: elsewhere, signedIn: session }),
    );
  }
  return sources;
}

test('admits 100 guesses in 24 hours, from any number of devices, networks and sessions at once', async () => {
  const { id, email } = await stage.createAccount();
  const sources = await createSources(id);
  let admitted = 0;
  const sweep = async (afterMs: number): Promise<void> => {
    const kinds: readonly Guessed[] = ['password', 'code'];
    const guesses = sources.flatMap((source) =>
      kinds.map((guessed) => ({ guessed, sources: source, afterMs })),
    );
    // Six of each at once: one more than a counter admits.
    const all = Array.from({ length: 6 }, () => guesses).flat();
    admitted += admittedOf(await Promise.all(all.map((guess) => reserve(email, guess))));
  };
  for (let quarter = 0; quarter < 10; quarter += 1) await sweep(quarter * quarterMs);
  await sweep(95 * quarterMs);
  expect(admitted).toBe(100);
  await sweep(96 * quarterMs);
  expect(admitted).toBeGreaterThan(100);
});

test('admits five of 50 concurrent attempts from unknown networks, with and without an account', async () => {
  for (const email of [(await stage.createAccount()).email, 'nobody@example.net']) {
    const reservations = await Promise.all(Array.from({ length: 50 }, () => reserve(email)));
    expect(admittedOf(reservations)).toBe(5);
  }
});

test('does not count a released attempt, and counts earlier failures only for the day', async () => {
  const { email } = await stage.createAccount();
  for (let round = 0; round < 10; round += 1) {
    const reservations = await Promise.all(Array.from({ length: 4 }, () => reserve(email)));
    expect(admittedOf(reservations)).toBe(4);
    if (round === 9) break;
    const { outcome } = await reserve(email);
    if (!outcome.admitted) throw new Error('the fifth attempt was refused');
    await releaseAttempt(stage.identity.database, outcome.attempt);
  }
  expect((await reserve(email)).outcome).toEqual({ admitted: false, retryAfterSeconds: 24 * 3600 });
});

test('keeps counting attempts at codes when failed passwords are cleared', async () => {
  const { email } = await stage.createAccount();
  for (const guessed of ['password', 'code'] as const)
    for (let guess = 0; guess < 5; guess += 1) await reserve(email, { guessed });
  await clearPasswordAttempts(stage.identity.database, normalised(email));
  expect((await reserve(email, { guessed: 'code' })).outcome.admitted).toBe(false);
  expect((await reserve(email)).outcome.admitted).toBe(true);
});
