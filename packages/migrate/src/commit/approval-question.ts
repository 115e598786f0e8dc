import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import type { RuleDestination } from './rule-destination.ts';

/** Why a chunk is not committed yet. */
export type WaitingReason =
  | 'identity'
  | 'ideal-state'
  | 'ai-rule'
  | 'duplicate'
  | 'edited-target'
  | 'changed';

/** The user stopped: no more questions or writes; all answers so far are saved. */
export class StoppedError extends Error {}

/** The number of this question, and of all questions as far as known. */
export interface QuestionPosition {
  readonly at: number;
  readonly of: number;
}

/** A question about one chunk, which may be answered for the others of its file too. */
export interface ChunkQuestion {
  readonly chunk: QueuedChunk;
  /** How many other chunks of the same file have the same question. */
  readonly othersInFile: number;
  /** Where the chunk would go, relative to the root. */
  readonly path: string;
}

export interface ChunkAnswer<T> {
  readonly answer: T;
  /** The same for the rest of the file. */
  readonly forFile: boolean;
}

export type RuleAnswer = RuleDestination | 'reject' | 'later';

/** For many chunks at once. */
export type ManyAnswer = 'yes' | 'one by one' | 'later';

/** A target file that was changed since the tool last read it. */
export interface EditedTarget {
  readonly path: string;
  /** What changed, as a unified diff. */
  readonly diff: readonly string[];
  readonly chunks: number;
}

/** A note that was edited after it was committed. */
export interface ChangedQuestion extends ChunkQuestion {
  /** What changed since, as a unified diff. */
  readonly diff: readonly string[];
}

/** Asks the user. Every question may also throw StoppedError. */
export interface Asker {
  readonly editedTarget: (edited: EditedTarget, position: QuestionPosition) => Promise<boolean>;
  /** For many edited notes at once. */
  readonly allChanged: (count: number, position: QuestionPosition) => Promise<ManyAnswer>;
  readonly changed: (question: ChangedQuestion, position: QuestionPosition) => Promise<ChunkAnswer<boolean>>;
  readonly dimension: (target: Target, chunks: number, position: QuestionPosition) => Promise<boolean>;
  readonly identity: (question: ChunkQuestion, position: QuestionPosition) => Promise<ChunkAnswer<boolean>>;
  /** For many rules at once. */
  readonly allRules: (
    count: { readonly files: number; readonly rules: number },
    position: QuestionPosition,
  ) => Promise<'rule-file' | 'file by file' | 'reject' | 'later'>;
  /** For the rules of one file. */
  readonly rulesOfFile: (
    file: { readonly source: string; readonly rules: number; readonly first: QueuedChunk },
    position: QuestionPosition,
  ) => Promise<RuleAnswer | 'one by one'>;
  readonly rule: (question: ChunkQuestion, position: QuestionPosition) => Promise<ChunkAnswer<RuleAnswer>>;
  /** For many duplicates at once. */
  readonly allDuplicates: (count: number, position: QuestionPosition) => Promise<ManyAnswer>;
  readonly duplicate: (question: ChunkQuestion, position: QuestionPosition) => Promise<ChunkAnswer<boolean>>;
}

/** Without a user, every chunk that needs an answer waits. */
export const nobody: Asker = {
  editedTarget: () => Promise.resolve(false),
  allChanged: () => Promise.resolve('later'),
  changed: () => Promise.resolve({ answer: false, forFile: true }),
  dimension: () => Promise.resolve(false),
  identity: () => Promise.resolve({ answer: false, forFile: true }),
  allRules: () => Promise.resolve('later'),
  rulesOfFile: () => Promise.resolve('later'),
  rule: () => Promise.resolve({ answer: 'later', forFile: true }),
  allDuplicates: () => Promise.resolve('later'),
  duplicate: () => Promise.resolve({ answer: false, forFile: true }),
};
