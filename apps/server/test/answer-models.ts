import type { answers } from '../src/agents/index.ts';
import { createPaidSession } from '../src/foundation/engine/paid-session.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { createRecordReader } from '../src/record/wiring.ts';
import type { OpenAnswerModels, ProviderSettings } from '../src/wiring/answer-models.ts';
import { createAnswerModels } from '../src/wiring/answer-models.ts';
import { createAnswerSources } from '../src/wiring/answer-sources.ts';
import type { TestDatabase } from './database.ts';
import type { TestIdentity } from './identity.ts';

/** Providers named `default` unless they have a name of their own, paid for by this process. */
export function openTestAnswerModels(
  { database, urls }: TestDatabase,
  ...providers: readonly (Pick<ProviderSettings, 'url'> & Partial<ProviderSettings>)[]
): OpenAnswerModels {
  const session = createPaidSession({
    database,
    lockUrl: urls.application,
    logger: createLogger('silent', 'test'),
  });
  return {
    models: createAnswerModels(
      providers.map((provider) => ({ name: 'default', model: 'scripted', ...provider })),
      session,
    ),
    close: session.close,
  };
}

/** As in a worker. */
export function answerSourcesOf({
  database: { database, pool },
  clock,
  identity: { baseUrl },
}: Pick<TestIdentity, 'database' | 'clock' | 'identity'>): answers.AnswerSources {
  const record = createRecordReader({ database, pool, searchDatabase: database });
  return createAnswerSources({ clock, baseUrl, record }, null);
}
