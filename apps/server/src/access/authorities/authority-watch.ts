import type { NotificationListener } from '../../foundation/database/notification-listener.ts';
import { authorityChannel } from './authority-channel.ts';

/** Forgets what was worked out for an organization the moment another process changes something there. */
export function watchPermissions(
  notifications: NotificationListener,
  forget: (organizationId: string | null) => void,
): void {
  notifications.subscribe(authorityChannel, forget);
}
