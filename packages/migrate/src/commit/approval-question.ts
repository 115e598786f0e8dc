import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import type { RuleDestination } from './rule-destination.ts';

/** Why a chunk is not committed yet. */
export type WaitingReason =
  | 'identity'
  /** The user chose another target: it is committed with the other chunks of that target. */
  | 'moved'
  | 'ideal-state'
  | 'ai-rule'
  | 'duplicate'
  | 'secret'
  | 'edited-target'
  | 'changed-source'
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

/** Whether it is written, or the target that it has instead. */
export type IdentityAnswer = boolean | { readonly target: Target };

/** Leaves this chunk and all further ones of the same question pending. Nothing is approved by it. */
export const leaveRest = 'leave the rest pending';

/** Notes that were edited or deleted after they were scanned. */
export interface ChangedSources {
  readonly edited: readonly string[];
  readonly deleted: readonly string[];
  readonly chunks: number;
}

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

/** A note that contains what looks like a key, token, password or card number. */
export interface SecretNote {
  readonly source: string;
  /** Named for the user, such as `an access key`. */
  readonly secret: string;
}

/** Asks the user. Every question may also throw StoppedError. */
export interface Asker {
  /** True to commit the text that was scanned. */
  readonly changedSources: (changed: ChangedSources, position: QuestionPosition) => Promise<boolean>;
  readonly editedTarget: (edited: EditedTarget, position: QuestionPosition) => Promise<boolean>;
  /** For many edited notes at once. */
  readonly allChanged: (count: number, position: QuestionPosition) => Promise<ManyAnswer>;
  readonly changed: (question: ChangedQuestion, position: QuestionPosition) => Promise<ChunkAnswer<boolean>>;
  readonly dimension: (target: Target, chunks: number, position: QuestionPosition) => Promise<boolean>;
  /** One by one, always. */
  readonly identity: (
    question: ChunkQuestion,
    position: QuestionPosition,
  ) => Promise<IdentityAnswer | typeof leaveRest>;
  /** One by one, always. */
  readonly rule: (
    question: ChunkQuestion,
    position: QuestionPosition,
  ) => Promise<RuleAnswer | typeof leaveRest>;
  /** About all notes with secrets of a commit that the user has not seen before. */
  readonly secrets: (found: readonly SecretNote[], position: QuestionPosition) => Promise<ManyAnswer>;
  readonly secret: (found: SecretNote, position: QuestionPosition) => Promise<boolean>;
  /** For many duplicates at once. */
  readonly allDuplicates: (count: number, position: QuestionPosition) => Promise<ManyAnswer>;
  readonly duplicate: (question: ChunkQuestion, position: QuestionPosition) => Promise<ChunkAnswer<boolean>>;
}

/** Without a user, every chunk that needs an answer waits. */
export const unattended: Asker = {
  changedSources: () => Promise.resolve(false),
  editedTarget: () => Promise.resolve(false),
  allChanged: () => Promise.resolve('later'),
  changed: () => Promise.resolve({ answer: false, forFile: true }),
  dimension: () => Promise.resolve(false),
  identity: () => Promise.resolve(leaveRest),
  rule: () => Promise.resolve(leaveRest),
  secrets: () => Promise.resolve('later'),
  secret: () => Promise.resolve(false),
  allDuplicates: () => Promise.resolve('later'),
  duplicate: () => Promise.resolve({ answer: false, forFile: true }),
};
