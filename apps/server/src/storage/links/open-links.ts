import { callers } from '../../access/index.ts';
import { isCheckedSecret } from '../../foundation/checked-secret.ts';
import { hourMs } from '../../foundation/clock.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { requireAdmission } from '../../foundation/limits/strict-admission.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { openValue, sealValue } from '../../foundation/sealed-value.ts';
import type { credentials } from '../../identity/index.ts';
import { readArchive } from '../files/read-archive.ts';
import { isReadableBy, readerOf } from '../files/require-readable.ts';
import { authorizeLiveEntry, maySharesOn } from '../folders/authorize-entry.ts';
import type { Entry, ScanState } from '../folders/entry.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { linkTicketHours } from '../storage-deps.ts';
import {
  archiveTooLarge,
  contradicts,
  linkPasswordRequired,
  wrongLinkPassword,
} from '../storage-problems.ts';
import { findLinkBySecret } from './link-store.ts';
import type { Link } from './link.ts';

const purpose = 'opened link';
const ticketMs = linkTicketHours * hourMs;

/** Returned for the right password; of one link. */
interface Ticket {
  readonly linkId: string;
}

/** What a visitor of a link sends. */
export interface LinkSecrets {
  readonly secret: string;
  readonly ticket?: string | undefined;
}

export interface OpenedLink {
  readonly link: Link;
  readonly entry: Entry;
  readonly caller: callers.Caller;
}

/**
 * The caller of a link: its creator, as far as they could still create it. Raises the same `not_found` for an unknown
 * secret, an expired one, and one whose creator may no longer read or share its target; then the password is required.
 */
export async function authorizeLink(
  deps: StorageDeps,
  { secret, ticket, kind }: LinkSecrets & { readonly kind?: Link['kind'] },
): Promise<OpenedLink> {
  const opened = await findUsableLink(deps, secret);
  const { link } = opened;
  if (kind !== undefined && link.kind !== kind) throw callers.notFoundOrHidden();
  if (link.passwordHash !== null && !isTicketOf(deps, link, ticket))
    throw new ProblemError(linkPasswordRequired, 'This link requires a password.');
  return opened;
}

async function findUsableLink(deps: StorageDeps, secret: string): Promise<OpenedLink> {
  const link = isCheckedSecret(secret)
    ? await findLinkBySecret(deps.database, secret, deps.clock.now())
    : null;
  if (link === null) throw callers.notFoundOrHidden();
  const caller = callers.callerOfLink(link.maker, { linkId: link.id, key: link.key });
  const entered = await authorizeLiveEntry(deps, caller, { id: link.entryId, kind: link.kind }, 'read');
  if (!maySharesOn(entered, 'create')) throw callers.notFoundOrHidden();
  return { link, entry: entered.entry, caller };
}

function isTicketOf(deps: StorageDeps, { id }: Link, sealed: string | undefined): boolean {
  return sealed !== undefined && openValue<Ticket>(deps, purpose, sealed)?.linkId === id;
}

/** A ticket for the right password. Right and wrong attempts count toward the limit of the link. */
export async function enterLinkPassword(
  deps: StorageDeps,
  { secret, password }: { readonly secret: string; readonly password: string },
): Promise<{ readonly ticket: string; readonly expiresAt: EpochMicroseconds }> {
  const { link } = await findUsableLink(deps, secret);
  if (link.passwordHash === null) throw contradicts('This link has no password. Open it without a ticket.');
  await requireAdmission(deps.linkPasswordLimiter, link.id, 'Too many password attempts for this link.');
  const slot = deps.hasher.reserveSlot();
  const isRight = await slot.verify(password, link.passwordHash).finally(slot.leave);
  if (!isRight) throw new ProblemError(wrongLinkPassword, 'Wrong password.');
  const ticket: Ticket = { linkId: link.id };
  return {
    ticket: sealValue(deps, purpose, ticket, ticketMs),
    expiresAt: addMs(deps.clock.now(), ticketMs),
  };
}

/** What its page shows. */
export interface LinkDetails {
  readonly link: Link;
  readonly name: string;
  /** Bytes of the download; null for a folder that is too large for an archive. */
  readonly size: number | null;
  /** Of a file; null for a folder. */
  readonly scanState: ScanState | null;
  readonly isReadable: boolean;
}

export async function describeLink(
  deps: StorageDeps,
  { client, ...secrets }: LinkSecrets & { readonly client: credentials.Client },
): Promise<LinkDetails> {
  const { link, entry, caller } = await authorizeLink(deps, secrets);
  const { name, content } = entry;
  if (content !== null) {
    const isReadable = isReadableBy(content, readerOf(caller), deps.settings);
    return { link, name, size: content.size, scanState: content.scanState, isReadable };
  }
  const size = await archiveSize(deps, { caller, client, place: { folderId: entry.id } });
  return { link, name, size, scanState: null, isReadable: size !== null };
}

async function archiveSize(...asked: Parameters<typeof readArchive>): Promise<number | null> {
  try {
    return (await readArchive(...asked)).size;
  } catch (error) {
    if (error instanceof ProblemError && error.definition === archiveTooLarge) return null;
    throw error;
  }
}
