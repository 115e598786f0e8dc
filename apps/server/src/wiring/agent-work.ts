import { createUsageCleanup } from '../agents/budgets/index.ts';
import { answers } from '../agents/index.ts';
import { scheduleWork } from '../agents/schedules/index.ts';
import type { Config } from '../config/config.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import type { DatabaseConnection } from '../foundation/database/database.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import type { Logger } from '../foundation/logger.ts';
import { createRecordReader } from '../record/wiring.ts';
import { startAccounts } from './accounts.ts';
import { openAnswerModels } from './answer-models.ts';
import { createAnswerSources } from './answer-sources.ts';
import { openMailSender } from './mailing.ts';
import { createScheduleFiles } from './schedule-files.ts';

export interface AgentWork {
  readonly declarations: EngineDeclarations;
  readonly close: () => Promise<void>;
}

/** The jobs of a worker for agents; none without accounts. */
export async function openAgentWork(
  config: Config,
  application: DatabaseConnection,
  clock: CalendarClock,
  logger: Logger,
): Promise<AgentWork> {
  if (config.identity.secretKeys.length === 0) return { declarations: {}, close: async () => {} };
  const { database, pool } = application;
  const { baseUrl } = config.news;
  const accounts = await startAccounts(config, application, null, logger);
  const record = createRecordReader({ database, pool, searchDatabase: database });
  const news = { record, clock, baseUrl };
  const { models: answerModels, close } = openAnswerModels(config, database, logger);
  const declared = {
    recurringTasks: [
      answers.createWithdrawnTextRemoval({ database, answerSources: createAnswerSources(news, null) }),
      createUsageCleanup({ database }),
    ],
  };
  if (accounts === null) return { declarations: declared, close };
  const { access, storage } = accounts;
  const sendMail = openMailSender(config);
  const schedules = scheduleWork({
    ...access,
    logger,
    baseUrl,
    sendMail,
    sendsMail: sendMail !== null,
    answerModels,
    answerSources: createAnswerSources(news, storage === null ? null : access),
    scheduleFiles: storage === null ? null : createScheduleFiles({ ...access, ...storage }),
  });
  return {
    declarations: {
      ...schedules,
      recurringTasks: [...declared.recurringTasks, ...(schedules.recurringTasks ?? [])],
    },
    close,
  };
}
