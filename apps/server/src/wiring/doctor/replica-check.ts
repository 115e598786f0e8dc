import type { Config } from '../../config/config.ts';
import type { ReplicaPosition } from '../../record/wiring.ts';
import { covers, readReplicaPosition } from '../../record/wiring.ts';
import { withDatabase } from '../connections.ts';
import type { Check, Outcome } from './check.ts';
import { failed, messageOf, passed, warning } from './check.ts';

/** No check without a replica. */
export function replicaChecks(config: Config): readonly Check[] {
  const { replicaUrl, newsReaderUrl } = config.database;
  if (replicaUrl === null) return [];
  return [{ name: 'news replica', run: () => checkReplica(config, newsReaderUrl, replicaUrl) }];
}

async function checkReplica(config: Config, primaryUrl: string, replicaUrl: string): Promise<Outcome> {
  const read = (url: string): Promise<ReplicaPosition> =>
    withDatabase(config, { name: 'daybook doctor', url }, readReplicaPosition);
  try {
    const wanted = await read(primaryUrl);
    const seen = await read(replicaUrl);
    if (!seen.replays)
      return failed(
        'DATABASE_REPLICA_URL connects to a server that is not a replica',
        'Use the address of a streaming replica, or remove the setting.',
      );
    if (seen.epoch !== wanted.epoch)
      return failed(
        'the replica has the record from before a restore',
        'Copy the replica from the primary again.',
      );
    return covers(seen, wanted)
      ? passed('the replica has every decision of the primary')
      : warning(
          'the replica is behind, so news is read from the primary',
          'Check pg_stat_replication on the primary and pg_stat_wal_receiver on the replica.',
        );
  } catch (error) {
    return failed(
      messageOf(error),
      'Start the replica, and compare its host and port with DATABASE_REPLICA_URL. Meanwhile news is read from the primary.',
    );
  }
}
