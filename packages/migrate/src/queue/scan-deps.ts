import type { Classification, ClassifierInput } from '../classify/classification.ts';
import type { EncodingGuess } from '../sources/encoding-detection.ts';
import type { LegacyEncoding } from '../sources/legacy-encoding.ts';
import type { FileStatus } from '../sources/source-kind.ts';
import type { SplitMode } from './group-sections.ts';
import type { QueueHandle } from './queue-database.ts';

export type Classify = (input: ClassifierInput) => Classification;

/** A file that could be read in more than one way. */
export interface UnclearFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly guesses: readonly EncodingGuess[];
  /** How many more of these files there are. */
  readonly others: number;
}

/** Asks which encoding a file is in; null leaves it unread. May throw StoppedError. */
export type AskEncoding = (
  file: UnclearFile,
) => Promise<{ readonly encoding: LegacyEncoding | null; readonly forAll: boolean }>;

export interface ScanDeps {
  readonly queue: QueueHandle;
  readonly classify: Classify;
  /** Left out, a note stays whole where it is about one thing. */
  readonly split?: SplitMode;
  /** Of what is no UTF-8, where the person has said it on the command line. */
  readonly encoding?: LegacyEncoding | null;
  /** Left out where nobody can be asked. */
  readonly askEncoding?: AskEncoding;
  readonly isStopped?: () => boolean;
  readonly onFile: (progress: { readonly files: number; readonly bytes: number }) => void;
}

/** A file with something to be said about it. */
export interface ListedFile {
  readonly name: string;
  readonly status: FileStatus;
  readonly detail: string;
}

export interface ScanTotals {
  readonly files: number;
  readonly bytes: number;
  readonly chunks: number;
  readonly added: number;
  /** Of these, newer versions of pending chunks. */
  readonly replaced: number;
  /** Of these, newer versions of committed chunks. */
  readonly changedSinceCommit: number;
  readonly remainders: number;
  readonly remainderBytes: number;
  /** Everything that was not simply read, by name. */
  readonly listed: readonly ListedFile[];
  readonly stopped: boolean;
}
