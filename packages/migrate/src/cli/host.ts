import type { ReadStream, WriteStream } from 'node:tty';

import type { Classify } from '../queue/scan-deps.ts';

/** All that a command touches of the world around it. */
export interface Host {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The instant, as ISO 8601 in UTC. */
  readonly now: () => string;
  readonly classify: Classify;
  /** How long a question waits for a line of standard input if that is no terminal. */
  readonly answerWithinMs: number;
  /** Until it is ended, Ctrl-C is noted instead of ending the process; a second one ends it. */
  readonly watchInterrupt: () => Interruption;
}

export interface Interruption {
  readonly isRequested: () => boolean;
  readonly end: () => void;
}
