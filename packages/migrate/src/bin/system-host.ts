import { homedir } from 'node:os';

import type { Host } from '../cli/host.ts';
import type { Classify } from '../queue/scan-source.ts';

/** This process as a host. Its streams may be files or pipes, which only lack what terminals have. */
export function systemHost(classify: Classify): Host {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    home: homedir(),
    // oxlint-disable-next-line no-restricted-globals -- the one clock of the commands
    now: () => new Date().toISOString(),
    classify,
  };
}
