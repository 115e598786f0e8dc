/** Notifications that permissions in an organization have changed, with its id as payload. Caches also expire without them. */
export const authorityChannel = 'daybook_permissions_changed';
