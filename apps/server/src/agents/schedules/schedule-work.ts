import type { Registry } from 'prom-client';

import { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EngineDeclarations } from '../../foundation/engine/engine-declarations.ts';
import { storeOutcome } from '../../foundation/mail/outbox-store.ts';
import { createOutboxSweep } from '../../foundation/mail/outbox.ts';
import type { MailToSend, SendMail } from '../../foundation/mail/smtp-sender.ts';
import { registerGauges } from '../../foundation/metrics/gauges.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { readAnswer } from '../answers/read-answers.ts';
import { writeMail } from './answer-document.ts';
import type { PerformDeps } from './perform-run.ts';
import { readRunBacklog, removeOldRuns } from './run-store.ts';
import { createScheduleSweep } from './run-sweep.ts';
import type { ClaimedScheduleMail } from './schedule-mail-store.ts';
import { claimScheduleMail, scheduleMailLimits } from './schedule-mail-store.ts';
import { dayOf } from './schedule.ts';

export interface ScheduleWorkDeps extends PerformDeps {
  readonly baseUrl: string;
  /** Null without a mail server. */
  readonly sendMail: SendMail | null;
}

/** The background work of schedules. */
export function scheduleWork({ sendMail, ...deps }: ScheduleWorkDeps): EngineDeclarations {
  const mail =
    sendMail === null
      ? []
      : [
          createOutboxSweep<ClaimedScheduleMail>(
            { ...deps, sendMail },
            {
              ...scheduleMailLimits,
              name: 'send-schedule-mail',
              everySeconds: 5,
              claim: claimScheduleMail,
              compose: (claimed) => compose(deps, claimed),
              settle: (transaction, claimed, outcome) =>
                storeOutcome(transaction, scheduleMailLimits, claimed, outcome),
            },
          ),
        ];
  return {
    sweeps: [createScheduleSweep(deps), ...mail],
    recurringTasks: [
      {
        name: 'agent-schedule-history',
        every: 'day',
        run: (context) => context.step('remove', () => removeOldRuns(deps.database, deps.clock.now())),
      },
    ],
  };
}

/** Quoted again with the permissions of this moment. Null if the member cannot read the answer any more. */
async function compose(
  deps: Omit<ScheduleWorkDeps, 'sendMail'>,
  mail: ClaimedScheduleMail,
): Promise<MailToSend | null> {
  const { member, organizationKey, agentId, answerId, baseUrl } = { ...mail, ...deps };
  const caller = callers.callerOfSchedule(member, mail.scheduleId);
  const request = { caller, organizationKey, username: member.username, agentId, answerId };
  try {
    const answer = await readAnswer(deps, request);
    const manage = `${baseUrl}/platform/${organizationKey}/schedules`;
    return {
      to: mail.email,
      messageId: `<${mail.id}@${new URL(baseUrl).hostname}>`,
      ...writeMail({ ...mail, day: dayOf(mail, mail.dueAt), answer }, { manage }),
    };
  } catch (error) {
    if (error instanceof ProblemError && ['forbidden', 'not-found'].includes(error.definition.kind))
      return null;
    throw error;
  }
}

export function registerScheduleMetrics(registry: Registry, database: Database): void {
  registerGauges(
    registry,
    {
      daybook_agent_schedule_runs_waiting: { help: 'Scheduled questions that are due and not finished.' },
      daybook_agent_schedule_oldest_seconds: {
        help: 'Time since the oldest unfinished scheduled question was due.',
      },
      daybook_agent_schedule_runs_failed: { help: 'Scheduled questions of the last day that failed.' },
    },
    async () => {
      const { waiting, oldestSeconds, failed } = await readRunBacklog(database);
      return {
        daybook_agent_schedule_runs_waiting: waiting,
        daybook_agent_schedule_oldest_seconds: oldestSeconds,
        daybook_agent_schedule_runs_failed: failed,
      };
    },
  );
}
