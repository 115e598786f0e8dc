import { callers, changes, corePermissions, permissions } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import type { AgentsChange, AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { readKeepDays, removeExpiredAnswers, saveKeepDays } from './answer-store.ts';

const { organizationActions } = corePermissions;

/** The number of days for which an organization stores answers. */
export async function readRetention(deps: AgentsDeps, request: AgentsRequest): Promise<number> {
  const { actor } = await enterAsMember(deps, request);
  const { organization } = actor;
  callers.requirePermission(actor, organizationActions.read, permissions.resourceOf(organization.key));
  return readKeepDays(deps.database, organization);
}

export const retentionChanged = defineAuditKind(
  'answer_retention_changed',
  (word) => `You changed how long answers of agents are stored to ${word('days')} days.`,
);

export async function changeRetention(
  deps: AgentsDeps,
  request: AgentsChange & { readonly keepDays: number },
): Promise<void> {
  const { actor } = await enterAsMember(deps, request);
  const { organization } = actor;
  callers.requirePermission(actor, organizationActions.update, permissions.resourceOf(organization.key));
  const { client, keepDays } = request;
  await deps.database.transaction().execute(async (transaction) => {
    await saveKeepDays(transaction, organization, keepDays);
    const detail = { days: String(keepDays) };
    const at = deps.clock.now();
    await changes.recordActorEvent(transaction, deps, actor, { kind: retentionChanged, at, client, detail });
  });
}

/**
 * Deletes expired answers once a day. Errors are transient: the engine retries the step, and the next run deletes what
 * this one left. `daybook_engine_task_failures_total` shows if it fails.
 */
export function createAnswerRetention({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): RecurringTask {
  return {
    name: 'answer-retention',
    every: 'day',
    run: (context) => context.step('remove', () => removeExpiredAnswers(database, clock.now())),
  };
}
