import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { createSecretToken, secretTokenHash } from '../../foundation/secret-token.ts';
import type { Client } from '../client.ts';
import { ownRaceMs, refreshTokenMs } from '../credentials/session.ts';
import { invalidRefreshToken, refreshTokenReused } from '../identity-problems.ts';
import type { SessionGrant } from './open-session.ts';
import type { KnownRefreshToken } from './refresh-token-store.ts';
import { findRefreshToken, insertRefreshToken, useRefreshToken } from './refresh-token-store.ts';
import { revokeSessions } from './revoke-session.ts';
import { extendSession } from './session-store.ts';

export const reuseNoticed = defineAuditKind(
  'refresh_token_reused',
  'A used refresh token was sent again. It may have been stolen.',
);

export interface RefreshSessionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
}

type Outcome = SessionGrant | 'unknown' | 'reused';

/** Rotates a refresh token. The revocation after a replay persists: the error is thrown after the commit. */
export async function refreshSession(
  deps: RefreshSessionDeps,
  request: { readonly refreshToken: string; readonly client: Client },
): Promise<SessionGrant> {
  const hash = secretTokenHash(request.refreshToken);
  const now = deps.clock.now();
  const outcome = await deps.database.transaction().execute(async (transaction): Promise<Outcome> => {
    const winner = await useRefreshToken(transaction, hash, request.client, now);
    if (winner !== null) return { ...winner, refreshToken: await rotate(transaction, winner.sessionId, now) };
    const known = await findRefreshToken(transaction, hash);
    if (known === null || known.used === null) return 'unknown';
    if (!isOwnRace(known.used, request.client, now))
      await endFamily(transaction, deps, known, request.client);
    return 'reused';
  });
  if (outcome === 'unknown')
    throw new ProblemError(
      invalidRefreshToken,
      'The refresh token is unknown or expired, or its session was signed out.',
    );
  if (outcome === 'reused')
    throw new ProblemError(refreshTokenReused, 'This refresh token was already used.');
  return outcome;
}

async function rotate(
  transaction: Database,
  sessionId: SessionGrant['sessionId'],
  now: EpochMicroseconds,
): Promise<string> {
  const refreshToken = createSecretToken();
  const expiresAt = addMs(now, refreshTokenMs);
  await insertRefreshToken(transaction, {
    hash: secretTokenHash(refreshToken),
    sessionId,
    createdAt: now,
    expiresAt,
  });
  await extendSession(transaction, sessionId, now, expiresAt);
  return refreshToken;
}

export function isOwnRace(
  used: NonNullable<KnownRefreshToken['used']>,
  client: Client,
  now: EpochMicroseconds,
): boolean {
  return (
    now <= addMs(used.at, ownRaceMs) &&
    used.client.address === client.address &&
    used.client.userAgent === client.userAgent
  );
}

async function endFamily(
  transaction: Database,
  deps: RefreshSessionDeps,
  { sessionId }: KnownRefreshToken,
  client: Client,
): Promise<void> {
  const ended = await revokeSessions(transaction, deps, { sessionId }, 'refresh_token_reused', client);
  for (const { accountId } of ended) {
    await recordAuditEvent(transaction, deps.ids, {
      kind: reuseNoticed,
      at: deps.clock.now(),
      accountId,
      client,
      detail: { sessionId },
    });
  }
}
