import type { PaidSession } from '../../../foundation/engine/paid-session.ts';
import type { BoundedQueue } from '../../../foundation/limits/bounded-queue.ts';
import type { ModelCalls } from '../../../foundation/models/model-calls.ts';

/** A language model that the operator configured under a name. */
export interface AnswerProvider {
  readonly name: string;
  readonly model: string;
  readonly calls: Pick<ModelCalls, 'write'>;
  readonly outputTokensMax: number;
  /** Per million tokens. */
  readonly prices: { readonly input: number; readonly output: number };
}

/** The language models of an installation, and what pays for their calls. */
export interface AnswerModels {
  readonly providers: ReadonlyMap<string, AnswerProvider>;
  readonly session: PaidSession;
  /** Answers that are written at the same time. */
  readonly places: BoundedQueue;
  /** Of the prices. */
  readonly currency: string;
  /** A text without the sentences that are addressed to a machine. */
  readonly withoutInstructions: (text: string) => string;
}

/** The provider that agents use unless they name another one. */
export const defaultProvider = 'default';
