import { recordAuditEvent } from '../../audit/index.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { credentials } from '../../identity/index.ts';
import { scheduleDeleted } from './change-schedules.ts';
import { deleteSchedulesOf, selectActiveSchedulesOf } from './schedule-store.ts';

/**
 * Schedules act for their member in the member's absence. A run in progress loses its claim with its row: it stores no
 * file and sends no mail.
 */
export const scheduleKind: credentials.CredentialKind = {
  name: 'schedules',
  columns: ['agents.schedule.account_id'],
  effects: {
    password_change: { stays: 'Schedules go on; a reset ends them.' },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'The next run finds that its member has left, and stops it.' },
  },
  list: async (database, { accountId, limit }) =>
    (await selectActiveSchedulesOf(database, accountId, limit)).map(({ id, name, createdAt, lastRun }) => ({
      id,
      name,
      createdAt: isoMilliseconds(createdAt),
      lastUsedAt: lastRun === null ? null : isoMilliseconds(lastRun.dueAt),
      origin: null,
    })),
  end: async (transaction, { clock, ids }, { accountId, client, only }) => {
    for (const { id: scheduleId, agentId, name } of await deleteSchedulesOf(transaction, accountId, only)) {
      const detail = { scheduleId, agentId, name };
      const event = { kind: scheduleDeleted, at: clock.now(), accountId, client, detail };
      await recordAuditEvent(transaction, ids, event);
    }
  },
};
