import type { Database } from '../src/foundation/database/database.ts';
import type { SequenceLogDeps } from '../src/record/log/sequence-log.ts';
import { sequenceOnce } from '../src/record/log/sequence-log.ts';

/** Gives all committed entries their place in the log, and signs a checkpoint at once. */
export async function sequenceLog(database: Database, signer: SequenceLogDeps['signer']): Promise<void> {
  await database
    .transaction()
    .execute((transaction) => sequenceOnce(transaction, { signer, checkpointEverySeconds: 0 }));
}
