import { callers, changes } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import { createCheckedSecret } from '../../foundation/checked-secret.ts';
import { dayMs } from '../../foundation/clock.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import { parseId } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMilliseconds, parseIsoDatetime } from '../../foundation/instant.ts';
import type { credentials } from '../../identity/index.ts';
import { accounts } from '../../identity/index.ts';
import type { AuthorizedEntry } from '../folders/authorize-entry.ts';
import { authorizeEntry, authorizeLiveEntry, requireShares } from '../folders/authorize-entry.ts';
import type { NamedEntry } from '../folders/change-entries.ts';
import { lockEntry } from '../folders/entry-store.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { linkDays, linkPasswordCharsMin, linksMax } from '../storage-deps.ts';
import { contradicts } from '../storage-problems.ts';
import {
  countLinks,
  deleteEndedLinks,
  deleteLink,
  deleteLinksMadeBy,
  findLink,
  insertLink,
  selectLinksMadeBy,
} from './link-store.ts';
import type { Link } from './link.ts';
import { hashOfLinkSecret } from './link.ts';

export const linkCreated = defineAuditKind(
  'link_created',
  (word) => `You shared the ${word('entryKind')} “${word('name')}” by link.`,
);
export const linkRevoked = defineAuditKind(
  'link_revoked',
  (word) => `You revoked a link to the ${word('entryKind')} “${word('name')}”.`,
);

/** For callers who may read and share it. The secret is only in this response. */
export async function createLink(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly entry: NamedEntry;
    readonly expiresAt?: string;
    /** Required to open the link. */
    readonly password?: string;
  },
): Promise<{ readonly link: Link; readonly secret: string }> {
  const { caller } = request;
  const createdAt = deps.clock.now();
  const expiresAt = readEnd(request.expiresAt, createdAt);
  const entered = await authorizeLiveEntry(deps, caller, request.entry, 'read');
  requireShares(entered, 'create');
  const secret = createCheckedSecret();
  const passwordHash = request.password === undefined ? null : await hashPassword(deps, request.password);
  const { credential } = caller;
  const secretHash = hashOfLinkSecret(secret, passwordHash !== null);
  const link = await deps.database.transaction().execute(async (transaction) => {
    // A recovery locks the account, and deletes the links that it finds.
    await accounts.lockAccount(transaction, caller.accountId);
    if (!(await changes.isLiveCaller(transaction, caller, createdAt))) throw callers.notFoundOrHidden();
    // Links of an entry are created one at a time, so that the limit holds.
    const entry = await lockEntry(transaction, entered.entry);
    if (entry === null) throw callers.notFoundOrHidden();
    if ((await countLinks(transaction, entry, createdAt)) >= linksMax)
      throw contradicts(`A ${entry.kind} can have at most ${linksMax} links. Revoke some of them.`);
    const made: Link = {
      id: deps.ids.next(),
      projectId: entry.projectId,
      entryId: entry.id,
      kind: entry.kind,
      name: entry.name,
      maker: { accountId: caller.accountId, username: caller.username },
      key: credential.kind === 'api_key' ? { id: credential.keyId, limit: credential.limit } : null,
      createdAt,
      expiresAt,
      passwordHash,
      openedCount: 0,
      lastOpenedAt: null,
    };
    await insertLink(transaction, made, secretHash);
    await note(deps, transaction, request, entered, linkCreated, made);
    return made;
  });
  return { link, secret };
}

async function hashPassword({ hasher }: StorageDeps, password: string): Promise<string> {
  if (password.length < linkPasswordCharsMin)
    throw invalidField('password', `must have at least ${linkPasswordCharsMin} characters`);
  const slot = hasher.reserveSlot();
  return slot.hash(password).finally(slot.leave);
}

function readEnd(text: string | undefined, now: EpochMicroseconds): EpochMicroseconds {
  if (text === undefined) return addMs(now, linkDays.default * dayMs);
  const end = parseIsoDatetime(text);
  if (!end.ok) throw invalidField('expiresAt', 'must be a date and time with an offset');
  if (end.value <= now || end.value > addMs(now, linkDays.max * dayMs))
    throw invalidField('expiresAt', `must be in the future, at most ${linkDays.max} days ahead`);
  return end.value;
}

/** Deletes the link; only the audit event remains. */
export async function revokeLink(
  deps: StorageDeps,
  request: StorageRequest & { readonly linkId: string },
): Promise<void> {
  const id = parseId<'link'>(request.linkId);
  const link = id.ok ? await findLink(deps.database, id.value, deps.clock.now()) : null;
  if (link === null) throw callers.notFoundOrHidden();
  const named = { id: link.entryId, kind: link.kind };
  const entered = await authorizeEntry(deps, request.caller, named, 'read');
  requireShares(entered, 'delete');
  await deps.database.transaction().execute(async (transaction) => {
    if (!(await deleteLink(transaction, link.id))) throw callers.notFoundOrHidden();
    await note(deps, transaction, request, entered, linkRevoked, link);
  });
}

async function note(
  deps: StorageDeps,
  transaction: StorageDeps['database'],
  { client }: StorageRequest,
  { actor }: AuthorizedEntry,
  kind: typeof linkCreated,
  { id: linkId, projectId, entryId, kind: entryKind, name }: Link,
): Promise<void> {
  await changes.recordActorEvent(transaction, deps, actor, {
    kind,
    at: deps.clock.now(),
    client,
    detail: { linkId, projectId, entryId, entryKind, name },
  });
}

export async function removeEndedLinks({
  database,
  clock,
}: Pick<StorageDeps, 'database' | 'clock'>): Promise<void> {
  await deleteEndedLinks(database, clock.now());
}

const stays =
  'It was made by a member who was allowed to, ends within 90 days, and can be revoked on its page.';

export const linkKind: credentials.CredentialKind = {
  name: 'links',
  columns: ['storage.link.created_by'],
  effects: {
    password_change: { stays },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays },
  },
  list: async (database, { accountId, now, limit }) =>
    (await selectLinksMadeBy(database, { accountId }, now, { limit })).map(
      ({ id, name, createdAt, lastOpenedAt }) => ({
        id,
        name,
        createdAt: isoMilliseconds(createdAt),
        lastUsedAt: lastOpenedAt === null ? null : isoMilliseconds(lastOpenedAt),
        origin: null,
      }),
    ),
  end: (transaction, _deps, { accountId, only }) => deleteLinksMadeBy(transaction, accountId, only),
};
