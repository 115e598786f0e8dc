import type { NotificationListener } from '../../foundation/database/notification-listener.ts';

/** Notifications that a credential has ended; the payload is its id. They hasten what the cache's age ensures. */
export const credentialChannel = 'daybook_credential_ended';

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
