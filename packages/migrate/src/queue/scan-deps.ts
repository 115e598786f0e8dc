import type { Classification, ClassifierInput } from '../classify/classification.ts';
import type { EncodingGuess } from '../sources/encoding-detection.ts';
import type { LegacyEncoding } from '../sources/legacy-encoding.ts';
import type { FileStatus } from '../sources/source-kind.ts';
import type { RefusedEntry } from '../sources/unpack-archive.ts';
import type { SplitMode } from './group-sections.ts';
import type { QueueHandle } from './queue-database.ts';

export type Classify = (input: ClassifierInput) => Classification;

/** A file that could be read in more than one way. */
export interface UnclearFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly guesses: readonly EncodingGuess[];
  /** The number of further such files. */
  readonly others: number;
}

/** Asks the user for the encoding of a file; null leaves it unread. May throw StoppedError. */
export type AskEncoding = (
  file: UnclearFile,
) => Promise<{ readonly encoding: LegacyEncoding | null; readonly forAll: boolean }>;

export interface ScanDeps {
  readonly queue: QueueHandle;
  readonly classify: Classify;
  /** By default a note stays whole if it has one topic. */
  readonly split?: SplitMode;
  /** The encoding of files that are not UTF-8, if set on the command line. */
  readonly encoding?: LegacyEncoding | null;
  /** Omitted if no user can answer. */
  readonly askEncoding?: AskEncoding;
  /** Files of an archive that were not unpacked. */
  readonly refused?: readonly RefusedEntry[];
  /** Where exports of other programs are converted to notes; without it they are skipped. */
  readonly exportStore?: string;
  readonly isStopped?: () => boolean;
  readonly onFile: (progress: { readonly files: number; readonly bytes: number }) => void;
}

/** A file with a message about it. */
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
  /** Of these, the front matter of notes. */
  readonly frontMatter: number;
  readonly frontMatterBytes: number;
  /** Everything that was not simply read, by name. */
  readonly listed: readonly ListedFile[];
  readonly stopped: boolean;
}
