import { isoMilliseconds } from '../../foundation/instant.ts';
import type { credentials } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import { deleteSharesMadeBy, selectSharesMadeBy } from './share-store.ts';
import type { Share } from './share.ts';

const stays = 'A member with permission created it, and every member who can share the resource can end it.';

export const shareKind: credentials.CredentialKind = {
  name: 'shares',
  columns: ['access.share.created_by'],
  effects: {
    password_change: { stays },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays },
  },
  list: async (database, { accountId, limit }) =>
    (await selectSharesMadeBy(database, accountId, limit)).map((share) => ({
      id: share.id,
      name: `A ${thingOf(share)}, shared with ${receiverOf(share)} (${share.level})`,
      createdAt: isoMilliseconds(share.createdAt),
      lastUsedAt: null,
      origin: null,
    })),
  end: async (transaction, _deps, { accountId, only }) => {
    for (const id of await deleteSharesMadeBy(transaction, accountId, only))
      await raisePermissionVersion(transaction, id);
  },
};

function receiverOf({ subject }: Share): string {
  switch (subject.kind) {
    case 'member':
      return subject.username;
    case 'group':
      return subject.name;
    case 'invited':
      return subject.email;
    default:
      throw new Error(`no name for ${String(subject satisfies never)}`);
  }
}

/** The kind of a resource such as `/organizations/acme/projects/1/folders/2`: that of its last part. */
function thingOf({ resource }: Share): string {
  const kind = resource.split('/').at(-2) ?? '';
  return kind.endsWith('s') ? kind.slice(0, -1) : 'thing';
}
