import type { WatchOperations } from './generated/watch-api.ts';
import { watchOperations } from './generated/watch-api.ts';
import type { SignedInClient, SignedInOptions } from './signed-in/signed-in-client.ts';
import { createSignedInClient } from './signed-in/signed-in-client.ts';

export type * from './generated/watch-api.ts';
export type {
  Credential,
  SignedInAnswer,
  SignedInCall,
  SignedInOptions,
} from './signed-in/signed-in-client.ts';
export { RequestRefused } from './signed-in/signed-in-client.ts';

export type WatchClient = SignedInClient<WatchOperations>;

/** One function for each operation of saved searches, their matches, private feeds and webhooks. */
export function createWatchClient(options: SignedInOptions): WatchClient {
  return createSignedInClient<WatchOperations>(watchOperations, options);
}
