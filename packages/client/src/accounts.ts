import type { AccountsOperations } from './generated/accounts-api.ts';
import { accountsOperations } from './generated/accounts-api.ts';
import type { SignedInClient, SignedInOptions } from './signed-in/signed-in-client.ts';
import { createSignedInClient } from './signed-in/signed-in-client.ts';

export type * from './generated/accounts-api.ts';
export type {
  Credential,
  SignedInAnswer,
  SignedInCall,
  SignedInOptions,
} from './signed-in/signed-in-client.ts';
export { RequestRefused } from './signed-in/signed-in-client.ts';

/** One function for each operation of the accounts API: tokens, API keys and the current account. */
export function createAccountsClient(options: SignedInOptions): SignedInClient<AccountsOperations> {
  return createSignedInClient<AccountsOperations>(accountsOperations, options);
}
