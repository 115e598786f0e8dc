import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import type { RuleDestination } from './rule-destination.ts';

/** Why a chunk is not committed yet. */
export type WaitingReason = 'identity' | 'ideal-state' | 'ai-rule' | 'duplicate';

/** Asks the person. A null answer leaves the chunk in the queue. */
export interface Asker {
  readonly identity: (chunk: QueuedChunk, path: string) => Promise<boolean>;
  /** Once for each dimension in a run. */
  readonly dimension: (target: Target) => Promise<boolean>;
  readonly rule: (chunk: QueuedChunk) => Promise<RuleDestination | 'reject' | null>;
  readonly duplicate: (chunk: QueuedChunk, path: string) => Promise<boolean>;
}

/** Where nobody can be asked, everything that needs an answer waits. */
export const nobody: Asker = {
  identity: () => Promise.resolve(false),
  dimension: () => Promise.resolve(false),
  rule: () => Promise.resolve(null),
  duplicate: () => Promise.resolve(false),
};
