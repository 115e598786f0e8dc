import { startListening } from '../../foundation/database/notification-listener.ts';
import type { Authenticator } from './authenticate.ts';
import { credentialChannel } from './credential-channel.ts';

/** Forgets a credential the moment another process ends it. Without it the second that the cache allows passes first. */
export function watchCredentials(options: {
  readonly listenUrl: string;
  readonly authenticator: Authenticator;
}): { readonly stop: () => Promise<void> } {
  return startListening({
    url: options.listenUrl,
    channel: credentialChannel,
    retryAfterMs: 1_000,
    onNotice: options.authenticator.forget,
  });
}
