import type { Static, TSchema } from 'typebox';

import type { WorkflowContext } from '../../../foundation/engine/engine-declarations.ts';
import type { ModelCalls } from '../../../foundation/models/model-calls.ts';
import { describeModelFailure } from '../../../foundation/models/model-endpoint.ts';
import type { Prompt } from './prompt.ts';

export interface ModelWriterDeps {
  readonly calls: ModelCalls;
  /** Configured per task. */
  readonly model: string;
  readonly prompt: Prompt;
}

export interface ModelTask<Schema extends TSchema> {
  /** Unique within the workflow. */
  readonly step: string;
  readonly schema: Schema;
  readonly message: string;
  readonly outputTokensMax: number;
}

/** One paid step: made at most once, its response stored as its receipt; null if no response is available. */
export function askModel<Schema extends TSchema>(
  context: Pick<WorkflowContext, 'paid'>,
  { calls, model, prompt }: ModelWriterDeps,
  { step, schema, message, outputTokensMax }: ModelTask<Schema>,
): Promise<Static<Schema> | null> {
  return context.paid<Static<Schema> | null>(step, {
    call: async (idempotencyKey, signal) => {
      const request = {
        model,
        system: prompt.text,
        prompt: message,
        schema,
        outputTokensMax,
        idempotencyKey,
        signal,
      };
      return (await calls.call(request)).answer;
    },
    fallback: () => null,
    isUnspent: (error) => describeModelFailure(error).isRefusedForNow,
    attemptsMax: 2,
  });
}
