import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { logKeyFile } from '../../../apps/server/src/record/wiring.ts';
import { sequenceLog } from '../../../apps/server/test/sequence-log.ts';
import type { EngineStage } from '../engine/engine-stage.ts';

/** Sequences what the killed workers left, and returns the last checkpoint. */
export async function finishLog({ applicationUrl, query }: EngineStage, keys: string): Promise<string> {
  const signer = await logKeyFile.parseLogKeys(keys);
  const { database, close } = connectDatabase({
    url: applicationUrl,
    name: 'prove log',
    connectionsMax: 1,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
  });
  try {
    for (let sequenced = 1; sequenced > 0;) sequenced = await sequenceLog(database, signer);
  } finally {
    await close();
  }
  const [head] = await query<{ checkpoint: string }>('SELECT checkpoint FROM record.log_head');
  return head?.checkpoint ?? '';
}
