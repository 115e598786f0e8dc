/** For wiring and the commands: the limits of account mail, encrypted columns, and the check of the secret key. */
export { accountMailLimits } from './mail/mail-request-store.ts';
export { sealedColumns } from './sealed-columns.ts';
export { describeSigningKeyFault } from './signing-keys/signing-key-fault.ts';
export { endRestoredSessions, readAddresses, revokeAllApiKeys } from './restored-credential-store.ts';
export type { ChangedSince } from './restored-accounts.ts';
export { closeRestoredAccount, requestDeletionAgain, revokingEvents } from './restored-accounts.ts';
