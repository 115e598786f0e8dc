import { dayMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import type { SessionId } from './session.ts';

/** The reasons to end credentials: an intruder may have used the account, or the account ends. */
export type AccountEvent =
  | 'password_change'
  /** A reset by e-mail with “revoke everything”. */
  | 'password_reset'
  | 'email_undo'
  /** The owner, after confirmation, ends everything on the security page. */
  | 'end_all'
  | 'removal_from_organization'
  | 'deletion';

/** `recent`: only those so new that an intruder may have created them. `others`: all except the current session. */
export type Effect = 'ends' | 'ends_others' | 'ends_recent' | { readonly stays: string };

export interface Ending {
  readonly accountId: AccountId;
  /** All organizations of the account, locked. */
  readonly organizationIds: readonly OrganizationId[];
  readonly event: AccountEvent;
  readonly client: Client;
  /** The current session, if it stays. */
  readonly keep: SessionId | null;
  /** Ends only this one. */
  readonly only: string | null;
  /** The time from which an intruder may have had access. */
  readonly suspectSince: EpochMicroseconds;
}

/** An entry of the security page. */
export interface HeldCredential {
  readonly id: string;
  readonly name: string;
  /** Its limits, as text. */
  readonly limit?: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** The client that created it, if its table stores that; otherwise the audit log is read. */
  readonly origin: Origin | null;
}

export interface Origin {
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface Holder {
  readonly accountId: AccountId;
  readonly now: EpochMicroseconds;
  /** The maximum per kind. */
  readonly limit: number;
}

/**
 * A credential that acts as an account, or allows a person to act later. Every feature that creates credentials
 * declares them, so that every recovery ends them.
 */
export interface CredentialKind {
  readonly name: string;
  /** Columns with the account of the credential; a test compares them with the database. */
  readonly columns: readonly string[];
  readonly effects: Readonly<Record<AccountEvent, Effect>>;
  readonly list: (database: Database, holder: Holder) => Promise<readonly HeldCredential[]>;
  /** The page that ends one of them, if more happens than that; otherwise the security page ends it. */
  readonly endsOn?: string;
  readonly end: (transaction: Database, deps: RequestMailDeps, ending: Ending) => Promise<void>;
}

/** On recovery by e-mail, a second factor older than this is considered the owner's. */
const recentMs = 7 * dayMs;

export function suspectSince(now: EpochMicroseconds, attackedAt: EpochMicroseconds = now): EpochMicroseconds {
  const recent = now - BigInt(recentMs) * 1_000n;
  return (attackedAt < recent ? attackedAt : recent) as EpochMicroseconds;
}

/** In the caller's transaction, with the organizations and the account locked. */
export async function endCredentials(
  transaction: Database,
  deps: RequestMailDeps & { readonly credentialKinds: readonly CredentialKind[] },
  ending: Ending,
): Promise<void> {
  for (const { effects, end } of deps.credentialKinds) {
    if (typeof effects[ending.event] === 'string') await end(transaction, deps, ending);
  }
}
