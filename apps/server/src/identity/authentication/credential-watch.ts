import type { NotificationListener } from '../../foundation/database/notification-listener.ts';
import { credentialChannel } from '../credentials/credential-channel.ts';

/**
 * Forgets what is cached of a credential or account the moment a process changes it. Without it the second that the
 * caches allow passes first.
 */
export function watchCredentials(
  notifications: NotificationListener,
  forget: (id: string | null) => void,
): void {
  notifications.subscribe(credentialChannel, forget);
}
