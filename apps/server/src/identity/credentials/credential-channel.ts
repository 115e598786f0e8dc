import type { NotificationListener } from '../../foundation/database/notification-listener.ts';

/** Notifications that a credential has ended, with its id as payload. Caches also expire without them. */
export const credentialChannel = 'daybook_credential_ended';

/**
 * Evicts a credential or account from the caches as soon as a process changes it. Without it, cache entries expire
 * after one second.
 */
export function watchCredentials(
  notifications: NotificationListener,
  forget: (id: string | null) => void,
): void {
  notifications.subscribe(credentialChannel, forget);
}
