import { sql } from 'kysely';
import { expect } from 'vitest';

import { systemClock } from '../src/foundation/clock.ts';
import type { CalendarClock } from '../src/foundation/clock.ts';
import type { EngineClient } from '../src/foundation/engine/engine-client.ts';
import { createEngineClient } from '../src/foundation/engine/engine-client.ts';
import type {
  EngineDeclarations,
  WorkflowDeclaration,
} from '../src/foundation/engine/engine-declarations.ts';
import type { Engine, EngineTimings } from '../src/foundation/engine/engine.ts';
import { startEngine } from '../src/foundation/engine/engine.ts';
import type { Logger } from '../src/foundation/logger.ts';
import { createLogger } from '../src/foundation/logger.ts';
import type { TestDatabase } from './database.ts';

export interface TestEngine extends Engine {
  readonly client: EngineClient;
  /** Its message when it lost its lock; it stays alive, unlike a real process. */
  readonly ends: readonly string[];
  readonly enqueue: <Input>(
    workflow: WorkflowDeclaration<Input, unknown>,
    request: { readonly id: string; readonly input: Input; readonly key?: string },
  ) => Promise<void>;
}

/** A real engine on the test database, with short delays. One at a time: the SDK is a singleton. */
export async function startTestEngine(
  database: TestDatabase,
  declared: EngineDeclarations,
  options: {
    readonly clock?: CalendarClock;
    readonly timings?: Partial<EngineTimings>;
    readonly onTaskFailed?: (task: string) => void;
    readonly logger?: Logger;
  } = {},
): Promise<TestEngine> {
  const ends: string[] = [];
  const logger = options.logger ?? createLogger('silent', 'test');
  const databaseUrl = database.urls.application;
  const client = createEngineClient({ databaseUrl, logger });
  const engine = await startEngine(
    {
      database: database.database,
      databaseUrl,
      lockUrl: databaseUrl,
      client,
      clock: options.clock ?? systemClock,
      logger,
      connectionsMax: 5,
      timings: { takeoverEveryMs: 50, takeoverGraceMs: 200, reconcileEveryMs: 50, ...options.timings },
      endProcess: (reason) => ends.push(reason),
      ...(options.onTaskFailed && { onTaskFailed: options.onTaskFailed }),
    },
    [declared],
  );
  return {
    ...engine,
    client,
    ends,
    enqueue: (workflow, request) =>
      database.database.transaction().execute((trx) => client.enqueue(trx, workflow, request)),
    stop: async (drainMs) => {
      await engine.stop(drainMs);
      await client.close();
    },
  };
}

export async function workflowStatus(database: TestDatabase, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`
    SELECT status FROM dbos.workflow_status WHERE workflow_uuid = ${id}`.execute(database.database);
  return rows[0]?.status;
}

export async function untilStatus(database: TestDatabase, id: string, status: string): Promise<void> {
  await expect.poll(() => workflowStatus(database, id), { timeout: 15_000, interval: 25 }).toBe(status);
}

/** Moves its end into the past. */
export async function ageEndedWorkflow(database: TestDatabase, id: string, byMs: number): Promise<void> {
  await sql`
    UPDATE dbos.workflow_status SET completed_at = completed_at - ${byMs}, created_at = created_at - ${byMs}
    WHERE workflow_uuid = ${id}`.execute(database.database);
}
