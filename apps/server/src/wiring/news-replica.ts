import type { Config } from '../config/config.ts';
import { connectDatabase } from '../foundation/database/database.ts';
import type { Logger } from '../foundation/logger.ts';
import type { Tracer } from '../foundation/tracing/tracer.ts';
import type { RecordReader } from '../record/index.ts';
import type { ReplicaState } from '../record/wiring.ts';
import {
  createRecordReader,
  createReplicatedReader,
  NewsReplica,
  readReplicaPosition,
  searchesRunningMax,
} from '../record/wiring.ts';
import { connect } from './connections.ts';

export interface OpenNewsReplica {
  readonly replica: NewsReplica;
  /** Reads from the replica while it is current, otherwise from this reader of the primary. */
  readonly readerBeside: (primary: RecordReader) => RecordReader;
  readonly close: () => Promise<void>;
}

/** With the pause between two polls, short enough to repeat a read on the primary within two seconds. */
const positionWithinMs = 700;
const messages: Readonly<Record<ReplicaState, string>> = {
  current: 'news is read from the replica',
  behind: 'the replica is behind; news is read from the primary',
  unreachable: 'the replica is unreachable; news is read from the primary',
};

/** Null without a replica. */
export function openNewsReplica(
  config: Config,
  logger: Logger,
  tracer: Tracer | null = null,
): OpenNewsReplica | null {
  const { replicaUrl, throughPooler } = config.database;
  if (replicaUrl === null) return null;
  const news = connect(config, replicaUrl, 'daybook news', { tracer });
  const search = connect(config, replicaUrl, 'daybook search', {
    connectionsMax: searchesRunningMax,
    tracer,
  });
  const position = connectDatabase({
    url: replicaUrl,
    name: 'daybook replica poll',
    connectionsMax: 1,
    statementTimeoutMs: positionWithinMs,
    answerGraceMs: 0,
    connectTimeoutMs: positionWithinMs,
    throughPooler,
  });
  const replica = new NewsReplica({
    readPosition: () => readReplicaPosition(position.database),
    onState: (state, error) => {
      if (state === 'unreachable') logger.error({ err: error }, messages[state]);
      else logger.info(messages[state]);
    },
  });
  const reader = createRecordReader({ ...news, searchDatabase: search.database });
  return {
    replica,
    readerBeside: (primary) => createReplicatedReader(primary, reader, replica),
    close: async () => void (await Promise.all([news.close(), search.close(), position.close()])),
  };
}
