import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Transaction } from 'kysely';
import { CompiledQuery } from 'kysely';
import type pg from 'pg';

import type { DB } from '../database/generated/database-types.ts';
import type { Logger } from '../logger.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { Enqueue } from './engine-declarations.ts';
import { sdkLogger } from './sdk-logger.ts';
import { currentTraceParent } from './trace-runs.ts';

/** Owner of all rows in the engine's tables. */
export const engineApplication = 'daybook';

export interface EngineClient {
  readonly enqueue: Enqueue;
  readonly close: () => Promise<void>;
}

interface EngineClientDeps {
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Null or absent: no traces. */
  readonly tracer?: Tracer | null;
}

/** Uses the caller's connection and opens none of its own. The SDK is loaded with the first request. */
export function createEngineClient(deps: EngineClientDeps): EngineClient {
  let created: Promise<DBOSClient> | undefined;
  const clientOf = (): Promise<DBOSClient> =>
    (created ??= createClient(deps).catch((error: unknown) => {
      created = undefined;
      throw error;
    }));
  return {
    enqueue: async (transaction, workflow, request) => {
      if ((workflow.queue.runningPerKeyMax !== undefined) !== (request.key !== undefined)) {
        throw new Error(`queue ${workflow.queue.name}: a key goes with a limit per key`);
      }
      const traceParent = currentTraceParent(deps.tracer ?? null);
      const client = await clientOf();
      await client.enqueueInTransaction(
        asClient(transaction),
        {
          queueName: workflow.queue.name,
          workflowName: workflow.name,
          workflowID: request.id,
          ...(request.key !== undefined && { queuePartitionKey: request.key }),
        },
        request.input,
        // A second input, which processes without traces do not read.
        ...(traceParent === undefined ? [] : [traceParent]),
      );
    },
    close: async () => (await created)?.destroy(),
  };
}

async function createClient({ databaseUrl, logger }: EngineClientDeps): Promise<DBOSClient> {
  const sdk = await import('@dbos-inc/dbos-sdk');
  return sdk.DBOSClient.create({
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: 1,
    applicationName: engineApplication,
    logger: sdkLogger(logger),
  });
}

/** The SDK expects a `pg` client and calls `query(text, values)` alone; Kysely hides its client. */
function asClient(transaction: Transaction<DB>): pg.ClientBase {
  const query = async (text: string, values: readonly unknown[] = []): Promise<object> => {
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...values]));
    return { rows, rowCount: rows.length };
  };
  return { query } as unknown as pg.ClientBase;
}
