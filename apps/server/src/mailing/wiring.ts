/** For the commands that copy revocations out of the database and apply them after a restore. */
export { endSubscriptionAgain, readEndedSubscriptions, stopRestoredMail } from './restored-mailing-store.ts';
