import type { ReadStream, WriteStream } from 'node:tty';

import type { Classify } from '../queue/scan-source.ts';

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
}
