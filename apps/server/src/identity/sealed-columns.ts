import type { SealedColumn } from '../foundation/sealing/sealed-column-store.ts';
import type { AccountId } from './accounts/account.ts';
import { sealPurpose } from './second-factor/use-one-time-code.ts';
import { signingKeyPurpose } from './signing-keys/rotate-signing-key.ts';

/** The encrypted columns of this domain. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    contents: 'signing keys',
    table: 'identity.signing_key',
    key: 'kid',
    column: 'private_key',
    purposeColumn: 'kid',
    purposeOf: () => signingKeyPurpose,
  },
  {
    contents: 'one-time code secrets',
    table: 'identity.second_factor',
    key: 'account_id',
    column: 'secret',
    purposeColumn: 'account_id',
    purposeOf: (accountId) => sealPurpose(accountId as AccountId),
  },
];
