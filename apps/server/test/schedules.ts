import type { ScheduleWorkDeps } from '../src/agents/schedules/schedule-work.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { createRecordReader } from '../src/record/wiring.ts';
import { createAnswerSources } from '../src/wiring/answer-sources.ts';
import { createScheduleFiles } from '../src/wiring/schedule-files.ts';
import type { TestStorage } from './storage.ts';

/** As in a worker without a language model. */
export function scheduleDepsOf({
  access,
  bucket,
  upkeep,
  clock,
  identity: { baseUrl },
  database: { database, pool },
}: TestStorage): Omit<ScheduleWorkDeps, 'sendMail'> {
  const record = createRecordReader({ database, pool, searchDatabase: database });
  return {
    ...access,
    baseUrl,
    logger: createLogger('silent', 'test'),
    answerModels: null,
    answerSources: createAnswerSources({ record, clock, baseUrl }, access),
    scheduleFiles: createScheduleFiles({ ...access, bucket, settings: upkeep.settings }),
    sendsMail: true,
  };
}
