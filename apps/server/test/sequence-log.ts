import type { Database } from '../src/foundation/database/database.ts';
import type { SequenceLogDeps } from '../src/record/log/sequence-log.ts';
import { sequenceEntries, signCheckpoint } from '../src/record/log/sequence-log.ts';

/** Gives committed entries their place in the log and signs a checkpoint at once. Returns how many got a place. */
export async function sequenceLog(
  database: Database,
  signer: SequenceLogDeps['signer'],
  checkpointEverySeconds = 0,
): Promise<number> {
  const sequenced = await database.transaction().execute(sequenceEntries);
  await database
    .transaction()
    .execute((transaction) => signCheckpoint(transaction, { signer, checkpointEverySeconds }));
  return sequenced;
}
