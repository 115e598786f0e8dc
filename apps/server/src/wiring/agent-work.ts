import { createUsageCleanup } from '../agents/budgets/index.ts';
import { answers } from '../agents/index.ts';
import type { Config } from '../config/config.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import type { DatabaseConnection } from '../foundation/database/database.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import { createRecordReader } from '../record/wiring.ts';
import { createAnswerSources } from './answer-sources.ts';

/** The jobs of a worker for answers of agents; none without accounts. */
export function agentWork(
  config: Config,
  { database, pool }: DatabaseConnection,
  clock: CalendarClock,
): EngineDeclarations {
  if (config.identity.secretKeys.length === 0) return {};
  const record = createRecordReader({ database, pool, searchDatabase: database });
  const answerSources = createAnswerSources({ record, clock, baseUrl: config.news.baseUrl }, null);
  return {
    recurringTasks: [
      answers.createWithdrawnTextRemoval({ database, answerSources }),
      createUsageCleanup({ database }),
    ],
  };
}
