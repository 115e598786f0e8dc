import type { credentials } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import { deleteSharesMadeBy } from './share-store.ts';

const stays = 'It was given by a member who was allowed to, and anyone who may share the thing can end it.';

export const shareKind: credentials.CredentialKind = {
  name: 'shares',
  columns: ['access.share.created_by'],
  effects: {
    password_change: { stays },
    password_reset: 'ends',
    email_undo: 'ends',
    deletion: { stays },
    removal_from_organization: { stays },
  },
  end: async (transaction, _deps, { accountId }) => {
    for (const id of await deleteSharesMadeBy(transaction, accountId))
      await raisePermissionVersion(transaction, id);
  },
};
