import { randomBytes } from 'node:crypto';

import type { Database } from '../../foundation/database/database.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, OrganizationId, Username } from '../accounts/account.ts';
import { parseNewUsername, usernameFaultMessages, usernameVariant } from '../accounts/account.ts';
import { nameFaultMessages, parseDisplayName } from '../accounts/display-name.ts';
import { insertMemberships, insertOrganization, insertWorkspace } from './organization-store.ts';

export interface NewOrganization {
  readonly key: Username;
  readonly name: string;
  readonly createdAt: EpochMicroseconds;
}

/** With its first workspace and without members. Null if the key is taken. */
export async function createOrganization(
  transaction: Database,
  ids: IdSource,
  organization: NewOrganization,
): Promise<OrganizationId | null> {
  const id: OrganizationId = ids.next();
  if (!(await insertOrganization(transaction, { ...organization, id }))) return null;
  const { createdAt } = organization;
  await insertWorkspace(transaction, { id: ids.next(), organizationId: id, name: 'General', createdAt });
  return id;
}

/** The same with its owner. */
export async function createOwnedOrganization(
  transaction: Database,
  ids: IdSource,
  accountId: AccountId,
  organization: NewOrganization,
): Promise<OrganizationId | null> {
  const organizationId = await createOrganization(transaction, ids, organization);
  if (organizationId === null) return null;
  const { createdAt } = organization;
  await insertMemberships(transaction, { accountId, organizationId, role: 'owner', createdAt });
  return organizationId;
}

export interface LeavingMember {
  readonly id: AccountId;
  readonly username: Username;
  readonly name: string;
}

/** Its key is the username, or close to it if another organization has that key. */
export async function createOwnOrganization(
  transaction: Database,
  ids: IdSource,
  { id: accountId, username, name }: LeavingMember,
  createdAt: EpochMicroseconds,
): Promise<OrganizationId> {
  let key = username;
  for (;;) {
    const own = { key, name, createdAt };
    const organizationId = await createOwnedOrganization(transaction, ids, accountId, own);
    if (organizationId !== null) return organizationId;
    key = usernameVariant(username, randomBytes);
  }
}

/** It is part of URLs, so it follows the rule of usernames. */
export function requireOrganizationKey(text: string): Username {
  const key = parseNewUsername(text);
  if (!key.ok) throw invalidField('platform_key', usernameFaultMessages[key.reason]);
  return key.value;
}

/** It appears in mail to people without an account, so it follows the rule of people's names. */
export function requireOrganizationName(text: string): string {
  const name = parseDisplayName(text);
  if (!name.ok) throw invalidField('name', nameFaultMessages[name.reason]);
  return name.value;
}
