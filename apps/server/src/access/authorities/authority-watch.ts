import type { NotificationListener } from '../../foundation/database/notification-listener.ts';
import { authorityChannel } from './authority-channel.ts';

/** Evicts the authorities of an organization as soon as another process changes it. */
export function watchPermissions(
  notifications: NotificationListener,
  forget: (organizationId: string | null) => void,
): void {
  notifications.subscribe(authorityChannel, forget);
}
