import { shareEnded } from './change-shares.ts';

/**
 * By the name of the event, what it means for a database that was restored to a time before it. `review`: an owner
 * compares the shares, which are as the backup has them.
 */
export const revokingEvents: ReadonlyMap<string, 'review'> = new Map([[shareEnded.name, 'review']]);
