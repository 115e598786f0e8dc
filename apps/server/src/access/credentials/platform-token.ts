import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';

export type PlatformTokenId = Id<'platform token'>;

export const tokenModes = ['owner', 'token_policies'] as const;
export type TokenMode = (typeof tokenModes)[number];

export interface PlatformToken {
  readonly id: PlatformTokenId;
  readonly organizationId: accounts.OrganizationId;
  readonly name: string;
  readonly creator: { readonly id: accounts.AccountId; readonly username: string };
  readonly mode: TokenMode;
  readonly createdAt: EpochMicroseconds;
  /** As entered by its creator. */
  readonly expires: string;
  /** The value of the alias, if it was sent. */
  readonly expiresIn: string | null;
  readonly expiresAt: EpochMicroseconds | null;
  /** To the minute. */
  readonly lastUsedAt: EpochMicroseconds | null;
}

export function isExpired({ expiresAt }: Pick<PlatformToken, 'expiresAt'>, now: EpochMicroseconds): boolean {
  return expiresAt !== null && expiresAt <= now;
}
