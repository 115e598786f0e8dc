import { randomUUID } from 'node:crypto';

import { SignJWT, errors, jwtVerify } from 'jose';

import type { Clock } from '../../foundation/clock.ts';
import { parseId } from '../../foundation/ids.ts';
import type { Account, AccountId } from '../accounts/account.ts';
import { roleIn } from '../accounts/account.ts';
import type { SessionId } from '../credentials/session.ts';
import { accessTokenSeconds } from '../credentials/session.ts';
import { signingAlgorithm } from './rotate-signing-key.ts';
import type { SigningKeyRing } from './signing-key-ring.ts';

export interface AccessTokenClaims {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
}

export interface AccessTokens {
  readonly issue: (account: Account, sessionId: SessionId) => Promise<string>;
  /** Null for anything except an unexpired token that this installation signed. */
  readonly verify: (token: string) => Promise<AccessTokenClaims | null>;
}

export interface AccessTokenDeps {
  readonly ring: SigningKeyRing;
  readonly clock: Clock;
  readonly issuer: string;
  readonly audience: string;
}

const tokenType = 'at+jwt';
const tokenCharsMax = 4096;

export function createAccessTokens({ ring, clock, issuer, audience }: AccessTokenDeps): AccessTokens {
  return {
    issue: async (account, sessionId) => {
      const { kid, key } = await ring.signer();
      const issuedAt = Math.floor(clock.nowMs() / 1000);
      const role = roleIn(account, account.organizationId);
      return new SignJWT({ sid: sessionId, org: account.organizationId, role })
        .setProtectedHeader({ alg: signingAlgorithm, kid, typ: tokenType })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(account.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .setJti(randomUUID())
        .sign(key);
    },
    verify: async (token) => {
      if (token.length > tokenCharsMax) return null;
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid }) => {
            const key = kid === undefined ? null : await ring.verifier(kid);
            if (key === null) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          {
            // Only this one, whatever the header says: neither "none" nor our public key as HMAC secret.
            algorithms: [signingAlgorithm],
            typ: tokenType,
            issuer,
            audience,
            requiredClaims: ['sub', 'sid', 'exp', 'iat', 'jti'],
            // oxlint-disable-next-line no-restricted-globals -- the library asks for a Date
            currentDate: new Date(clock.nowMs()),
          },
        );
        return claimsOf(payload.sub, payload['sid']);
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

function claimsOf(subject: unknown, session: unknown): AccessTokenClaims | null {
  const accountId = parseId<'account'>(String(subject));
  const sessionId = parseId<'session'>(String(session));
  return accountId.ok && sessionId.ok ? { accountId: accountId.value, sessionId: sessionId.value } : null;
}
