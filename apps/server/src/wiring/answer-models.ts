import { readFileSync } from 'node:fs';

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { AnswerModels, AnswerProvider } from '../agents/answers/model/index.ts';
import type { Config } from '../config/config.ts';
import { closedObject } from '../foundation/closed-object.ts';
import type { Database } from '../foundation/database/database.ts';
import { createPaidSession } from '../foundation/engine/paid-session.ts';
import { createBoundedQueue } from '../foundation/limits/bounded-queue.ts';
import type { Logger } from '../foundation/logger.ts';
import { createModelBreaker } from '../foundation/models/model-breaker.ts';
import { createModelCalls } from '../foundation/models/model-calls.ts';
import { createModelEndpoint } from '../foundation/models/model-endpoint.ts';
import { withoutInstructions } from '../newsroom/copy/index.ts';

/** Answers that one process writes at the same time, and those that wait for a place. */
const writingMax = 100;
const waitingMax = 100;
/** A reader waits for the answer: a longer Retry-After leads to an answer by quoting. */
const waitMaxMs = 2_000;

const ProviderSchema = closedObject({
  name: Type.String({ pattern: String.raw`^[a-z0-9][a-z0-9._-]{0,99}$` }),
  url: Type.String({ pattern: '^https?://' }),
  model: Type.String({ minLength: 1, maxLength: 200 }),
  apiKey: Type.Optional(Type.String({ maxLength: 4_096 })),
  timeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 300 })),
  outputTokensMax: Type.Optional(Type.Integer({ minimum: 100, maximum: 100_000 })),
  /** Per million tokens. */
  inputPrice: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
  outputPrice: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
});
const FileSchema = closedObject({
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  providers: Type.Array(ProviderSchema, { minItems: 1, maxItems: 50 }),
});

const defaults = { timeoutSeconds: 30, outputTokensMax: 1_500, inputPrice: 0, outputPrice: 0 };
const defaultCurrency = 'USD';

export interface OpenAnswerModels {
  /** Null: the operator has configured none. */
  readonly models: AnswerModels | null;
  readonly close: () => Promise<void>;
}

/** The language models of agents. */
export function openAnswerModels(
  {
    agents,
    database: { directUrl },
  }: Pick<Config, 'agents'> & { readonly database: Pick<Config['database'], 'directUrl'> },
  database: Database,
  logger: Logger,
): OpenAnswerModels {
  if (agents.modelsFile === '') return { models: null, close: async () => {} };
  const session = createPaidSession({ database, lockUrl: directUrl, logger });
  const { providers, currency } = readModels(agents.modelsFile);
  return { models: createAnswerModels(providers, session, currency), close: session.close };
}

export function createAnswerModels(
  providers: readonly ProviderSettings[],
  session: AnswerModels['session'],
  currency = defaultCurrency,
): AnswerModels {
  return {
    currency,
    providers: new Map(providers.map((one) => [one.name, providerOf(one)])),
    session,
    places: createBoundedQueue({ runningMax: writingMax, placesMax: writingMax + waitingMax }),
    withoutInstructions,
  };
}

export type ProviderSettings = Static<typeof ProviderSchema>;

/** Errors name the field, never its value: the file contains keys. */
export function readModels(file: string): Static<typeof FileSchema> {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Value.Check(FileSchema, content)) {
    const places = Value.Errors(FileSchema, content).map(
      ({ instancePath, message }) => `${instancePath} ${message}`,
    );
    throw new Error(`${file} (DAYBOOK_AGENT_MODELS_FILE) is not usable:\n  ${places.join('\n  ')}`);
  }
  const names = content.providers.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new Error(`${file} names the provider ${repeated} twice`);
  return content;
}

function providerOf(settings: ProviderSettings): AnswerProvider {
  const { name, model, url, apiKey = '' } = settings;
  const { timeoutSeconds, outputTokensMax, inputPrice, outputPrice } = { ...defaults, ...settings };
  return {
    name,
    model,
    outputTokensMax,
    prices: { input: inputPrice, output: outputPrice },
    calls: createModelCalls({
      endpoint: createModelEndpoint({
        baseUrl: url.replace(/\/+$/u, ''),
        apiKey,
        structuredOutput: 'json',
        timeoutMs: timeoutSeconds * 1_000,
      }),
      breaker: createModelBreaker({ elapsedMs: () => performance.now() }),
      // Budgets of agents are counted by organization, agent and member.
      budget: { take: async () => ({ granted: true }) },
      waitMaxMs,
    }),
  };
}
