/** Notifications that a credential has ended; the payload is its id. They hasten what the cache's age ensures. */
export const credentialChannel = 'daybook_credential_ended';
