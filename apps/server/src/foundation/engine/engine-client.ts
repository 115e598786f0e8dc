import { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Transaction } from 'kysely';
import { CompiledQuery } from 'kysely';
import type pg from 'pg';

import type { DB } from '../database/generated/database-types.ts';
import type { Logger } from '../logger.ts';
import type { Enqueue } from './engine-declarations.ts';
import { sdkLogger } from './sdk-logger.ts';

/** Owner of all rows in the engine's tables. */
export const engineApplication = 'daybook';

export interface EngineClient {
  readonly enqueue: Enqueue;
  readonly close: () => Promise<void>;
}

/** For every process that hands work over, api or worker. It uses the caller's connection and opens none of its own. */
export async function createEngineClient(deps: {
  readonly databaseUrl: string;
  readonly logger: Logger;
}): Promise<EngineClient> {
  const client = await DBOSClient.create({
    systemDatabaseUrl: deps.databaseUrl,
    systemDatabasePoolSize: 1,
    applicationName: engineApplication,
    logger: sdkLogger(deps.logger),
  });
  return {
    enqueue: async (transaction, workflow, request) => {
      if ((workflow.queue.runningPerKeyMax !== undefined) !== (request.key !== undefined)) {
        throw new Error(`queue ${workflow.queue.name}: a key goes with a limit per key`);
      }
      await client.enqueueInTransaction(
        asClient(transaction),
        {
          queueName: workflow.queue.name,
          workflowName: workflow.name,
          workflowID: request.id,
          ...(request.key !== undefined && { queuePartitionKey: request.key }),
        },
        request.input,
      );
    },
    close: () => client.destroy(),
  };
}

/** The SDK asks for a `pg` client and calls `query(text, values)` alone; Kysely keeps its client to itself. */
function asClient(transaction: Transaction<DB>): pg.ClientBase {
  const query = async (text: string, values: readonly unknown[] = []): Promise<object> => {
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...values]));
    return { rows, rowCount: rows.length };
  };
  return { query } as unknown as pg.ClientBase;
}
