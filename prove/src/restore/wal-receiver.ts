import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { prepareDebian } from '../machine/debian-base.ts';

/** `pg_receivewal` of the server's version, from Debian. */
export interface ReceiverProgram {
  readonly command: string;
  /** Before its own: Debian's loader and libraries are newer than those of this machine. */
  readonly words: readonly string[];
}

/** Why the program cannot be installed here; null if it can. */
export function describeMissingReceiver(): string | null {
  if (spawnSync('debootstrap', ['--version']).error !== undefined) return 'not installed: debootstrap';
  return process.getuid?.() === 0 ? null : 'only root can run debootstrap';
}

export async function prepareReceiver(root: string): Promise<ReceiverProgram> {
  const debian = await prepareDebian(root, {
    name: 'forky-postgresql-client',
    suite: 'forky',
    packages: ['postgresql-client-18'],
  });
  return {
    command: join(debian, 'usr/lib64/ld-linux-x86-64.so.2'),
    words: [
      '--library-path',
      join(debian, 'usr/lib/x86_64-linux-gnu'),
      join(debian, 'usr/lib/postgresql/18/bin/pg_receivewal'),
    ],
  };
}

/** Writes the log of the server into the folder until the server ends, and confirms each flush. */
export function startReceiver(
  { command, words }: ReceiverProgram,
  { url, folder, slot }: Readonly<{ url: string; folder: string; slot: string }>,
): ChildProcess {
  return spawn(
    command,
    [
      ...words,
      `--dbname=${url}?application_name=${slot}`,
      `--directory=${folder}`,
      `--slot=${slot}`,
      '--synchronous',
      '--no-loop',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
}

export async function untilReceiverEnded(receiver: ChildProcess): Promise<void> {
  if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
}
