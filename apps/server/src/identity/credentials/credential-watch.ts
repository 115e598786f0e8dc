import type { NotificationListener } from '../../foundation/database/notification-listener.ts';
import type { Authenticator } from './authenticate.ts';
import { credentialChannel } from './credential-channel.ts';

/** Forgets a credential the moment another process ends it. Without it the second that the cache allows passes first. */
export function watchCredentials(notifications: NotificationListener, { forget }: Authenticator): void {
  notifications.subscribe(credentialChannel, forget);
}
