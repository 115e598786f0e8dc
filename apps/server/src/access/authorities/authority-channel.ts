/** Notifications that what may be done in an organization has changed; the payload is its id. They hasten what the cache's age ensures. */
export const authorityChannel = 'daybook_permissions_changed';
