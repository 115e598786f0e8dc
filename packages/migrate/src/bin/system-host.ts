import { homedir } from 'node:os';

import type { Host, Interruption } from '../cli/host.ts';
import type { Tool } from '../cli/program.ts';
import { runProgram } from '../cli/program.ts';
import type { Classify } from '../queue/scan-deps.ts';

/** The exit code that a shell reports for a program that was ended by a closed pipe. */
const closedPipe = 141;
/** Users need minutes. A pipe that stays open without a line, as in a job without a user, must not block for ever. */
const answerWithinMs = 10 * 60_000;

/**
 * Runs the command line of this process and ends it with the command's exit code. Explicitly, because a terminal that
 * was read from can keep a process alive that has nothing left to do.
 */
export async function runAndExit(tool: Tool, classify: Classify): Promise<never> {
  // The reader, such as `head`, has closed the pipe: exit without an error. Unfinished writes are safe in the journal.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) =>
      process.exit(error.code === 'EPIPE' ? closedPipe : 1),
    );
  const code = await runProgram(tool, process.argv.slice(2), systemHost(classify));
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

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
    answerWithinMs,
    watchInterrupt,
  };
}

function watchInterrupt(): Interruption {
  let isRequested = false;
  const onInterrupt = (): void => {
    isRequested = true;
  };
  process.once('SIGINT', onInterrupt);
  return { isRequested: () => isRequested, end: () => process.off('SIGINT', onInterrupt) };
}
